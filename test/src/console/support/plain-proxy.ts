import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What some people put in front of the service at home: a proxy without encryption that makes the cookie of the
 * session one for plain http.
 */
export async function startPlainProxy(target: string): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = http.createServer((request, response) => {
    const { method, headers, url = '/' } = request
    const onward = http.request(new URL(url, target), { method, headers }, (answer) => {
      const cookies = answer.headers['set-cookie']?.map((cookie) => cookie.replace(/; *Secure/i, ''))
      const kept = Object.entries(answer.headers).filter(([name]) => name !== 'set-cookie')
      response.writeHead(answer.statusCode ?? 502, { ...Object.fromEntries(kept), ...(cookies && { 'set-cookie': cookies }) })
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
