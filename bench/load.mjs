/** Measures how many requests per second a server answers. */
import { Agent, request } from 'node:http';

/**
 * Sends the same GET request over 16 connections.
 * @param {string} url
 * @param {Readonly<Record<string, string>>} headers
 * @param {number} count of requests
 * @returns {Promise<number>} requests per second
 */
export async function load(url, headers, count) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  let left = count;
  const start = process.hrtime.bigint();
  const one = () =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
        response.resume().on('end', resolve);
      });
      sent.on('error', reject).end();
    });
  const worker = async () => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  agent.destroy();
  return count / seconds;
}
