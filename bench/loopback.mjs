/** How a service of the benchmarks is started and ended: prints its base URL, ends with stdin. */

/**
 * @param {import('node:http').Server} server
 * @param {() => void} [prepare] what has to be done before the first request
 */
export function serveBenchmark(server, prepare) {
  server.listen(0, '127.0.0.1', () => {
    prepare?.();
    const address = server.address();
    if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
  });
  process.stdin.on('end', () => process.exit(0)).resume();
}
