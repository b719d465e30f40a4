/** Starts the servers of the benchmarks: each prints its base URL when it is ready, and ends with stdin. */

/**
 * @param {import('node:http').Server} server
 * @param {() => void} [prepare] called before the base URL is printed
 */
export function serveBenchmark(server, prepare) {
  server.listen(0, '127.0.0.1', () => {
    prepare?.();
    const address = server.address();
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
  });
  process.stdin.on('end', () => process.exit(0)).resume();
}
