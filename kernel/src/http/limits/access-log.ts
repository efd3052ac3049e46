import type { Logger } from '@agent-service/sdk'
import type { Exchange } from '../request/exchange.js'

/** Paths that are asked for all the time and are worth no line of their own. */
const quiet = new Set(['getLiveness', 'getReadiness', 'getMetrics'])

/** Writes one line for an answered request. The path is written without its query, which may carry a token. */
export function logExchange(logger: Logger, exchange: Exchange, durationMs: number): void {
  const { request, response, route } = exchange
  const fields = {
    request_id: exchange.requestId,
    method: exchange.method,
    path: (request.url ?? '').split('?', 1)[0]?.slice(0, 500) ?? '',
    status: response.statusCode,
    duration_ms: Math.round(durationMs * 10) / 10,
    address: exchange.client.address,
    ...(route ? { operation: route.operationId } : {}),
    ...(exchange.site === undefined ? {} : { site: exchange.site }),
    ...(response.writableFinished || response.statusCode === 101 ? {} : { finished: false }),
  }
  if (route && quiet.has(route.operationId)) logger.debug('request', fields)
  else logger.info('request', fields)
}
