import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a network, or a proxy whose sign-in has ended, answers in place of any service: a page of its own, with any status. */
export async function startPortal(status = 200): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
