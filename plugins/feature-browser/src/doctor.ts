import { type DoctorCheck, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import type { BrowserSettings } from './configuration/browser-section.js'
import { testService } from './service/test-service.js'

/** Connects to the browser service, if one is configured. */
export const createBrowserCheck = (settings: BrowserSettings): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-browser',
    title: 'Browser',
    async run({ signal }) {
      const { ws_url } = settings
      if (ws_url === undefined) return { findings: [] }
      const result = await testService({ ...settings, ws_url }, { signal, limitMs: 8_000 })
      const findings = [
        { state: result.ok ? 'well' : 'warning', text: result.text.slice(0, 500) } as const,
        ...result.warnings.map((text) => ({ state: 'warning', text: text.slice(0, 500) }) as const),
      ]
      return { findings }
    },
  })
