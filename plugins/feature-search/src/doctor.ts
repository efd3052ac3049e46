import { signalWithin } from '@agent-service/sdk/async'
import { type DoctorCheck, type DoctorFinding, defineDoctorCheck } from '@agent-service/sdk/contracts/doctor-check'
import { builtInOptions } from './common/built-in-options.js'
import type { SearchSettings } from './common/search-section.js'

const answerMs = 8_000

/**
 * Whether the instance of SearXNG answers. Keys are the business of the running service: `GET /api/search` says which one
 * is missing, and a warning at the start does.
 */
export const createSearchCheck = (settings: SearchSettings): DoctorCheck =>
  defineDoctorCheck({
    id: 'feature-search',
    title: 'Web search',
    async run({ signal }) {
      const { provider, selfhosted_base_url: baseUrl } = settings
      const option = builtInOptions.find(({ id }) => id === provider)
      if (baseUrl !== undefined && (provider === undefined || provider === 'selfhosted'))
        return { findings: [await findingOf(baseUrl, signal)] }
      if (provider === 'selfhosted')
        return { findings: [{ state: 'warning', text: 'unavailable: SearXNG needs search.selfhosted_base_url, which is not set' }] }
      if (provider === undefined) return { findings: [] }
      const key = option?.variable === undefined ? '' : `, with the key in ${option.variable}`
      return { findings: [{ state: 'well', text: `${option?.title ?? provider} is configured${key}` }] }
    },
  })

async function findingOf(baseUrl: string, signal: AbortSignal): Promise<DoctorFinding> {
  try {
    const response = await fetch(baseUrl, { redirect: 'manual', signal: signalWithin(answerMs, signal) })
    await response.body?.cancel()
    return response.status < 500
      ? { state: 'well', text: `SearXNG at ${baseUrl} answers` }
      : { state: 'warning', text: `SearXNG at ${baseUrl} answers ${response.status}` }
  } catch {
    // Why it cannot be reached matters less than that it cannot; an abort is another thing.
    signal.throwIfAborted()
    return { state: 'warning', text: `SearXNG at ${baseUrl} cannot be reached` }
  }
}
