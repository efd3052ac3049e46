import { read, type Step, send } from './step.js'

/** The log, the health and the restart of the service. */
export const serviceSteps: Readonly<Record<string, Step>> = {
  listLogEntries: read('/api/admin/logs?limit=1'),
  streamLogEntries: {
    async call({ service, admin }) {
      const controller = new AbortController()
      const headers = { ...admin.authorization, 'x-request-id': 'request-of-the-log' }
      const response = await fetch(`${service.kernel.url}/api/admin/logs/stream`, { headers, signal: controller.signal })
      controller.abort()
      return { status: response.status, headers: response.headers, json: {}, text: '' }
    },
  },
  getServiceHealth: read('/api/admin/health'),
  runHealthChecks: { call: (world) => send(world, 'POST', '/api/admin/health/checks') },
  listAuditEvents: read('/api/admin/audit?limit=1'),
  getRestart: read('/api/admin/restart'),
  restart: { call: (world) => send(world, 'POST', '/api/admin/restart'), noted: 'service.restart_requested' },
}
