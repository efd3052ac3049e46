import { createSignal } from 'solid-js'
import { api } from '../api/client.js'
import { isProblem } from '../api/problem.js'
import type { Schemas } from '../api/types.js'
import { defineMessages } from '../i18n/messages.js'
import { applying as de } from '../texts/de.json'
import { applying as en } from '../texts/en.json'

const t = defineMessages({ en, de })

/** What is under way on the service, as far as a restart concerns it. */
export type RestartWork = Schemas['RestartWork']

const limitMs = 90_000
const lookEveryMs = 250

/** The restart in place that applies what is saved, as a screen shows it. */
export interface Applying {
  /** Whether it goes on; with the work that it waits for, if it does. */
  phase(): { readonly waitsFor: RestartWork | undefined } | undefined
  /** What the screen says meanwhile. */
  text(): string
  /**
   * Applies what is saved. Resolves when the service runs with it. @throws {ApiProblem}
   * `restart_refused` with every problem, if it would not start.
   */
  apply(): Promise<void>
  /** Waits no longer for what is under way. */
  applyNow(): Promise<void>
}

/** Applies what is saved for one part of a page, and says how far that is. */
export function createApplying(): Applying {
  const [phase, setPhase] = createSignal<ReturnType<Applying['phase']>>()
  let underWay: Promise<void> | undefined
  const applyOnce = async (): Promise<void> => {
    setPhase({ waitsFor: undefined })
    const { status, work } = await api.post('/api/admin/restart')
    setPhase({ waitsFor: status === 'waiting' ? work : undefined })
    await untilApplied((waitsFor) => setPhase({ waitsFor }))
  }
  return {
    phase,
    text() {
      const work = phase()?.waitsFor
      if (work && work.calls > 0) return `${t('applying')} ${t('waits_calls', { count: work.calls })}`
      if (work && work.requests > 0) return `${t('applying')} ${t('waits_requests', { count: work.requests })}`
      return `${t('applying')} …`
    },
    apply() {
      underWay ??= applyOnce().finally(() => {
        underWay = undefined
        setPhase(undefined)
      })
      return underWay
    },
    async applyNow() {
      await api.post('/api/admin/restart', { query: { when: 'now' } })
      setPhase((now) => now && { waitsFor: undefined })
    },
  }
}

/** Restarts the service with what is saved, and waits until it runs with that. */
export const applyConfiguration = (): Promise<void> => createApplying().apply()

/** What a restart would do to the work under way, in sentences; empty if there is none. */
export const workText = ({ calls, resumes, ends }: RestartWork): string =>
  [
    // A program that is waited for is part of an answer.
    resumes > calls ? t('resumes', { count: resumes - calls }) : [],
    calls > 0 ? t('waits', { count: calls }) : [],
    ends > 0 ? t('ends', { count: ends }) : [],
  ]
    .flat()
    .join(' ')

/** The work that a restart would concern now. */
export const readRestartWork = async (signal?: AbortSignal): Promise<RestartWork> =>
  (await api.get('/api/admin/restart', signal && { signal })).work

/** Resolves once another start has begun and is ready; until then the service is the one of before. */
async function untilApplied(onWaiting: (work: RestartWork | undefined) => void): Promise<void> {
  let until = Date.now() + limitMs
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    try {
      const { status, work } = await api.get('/api/admin/restart')
      if (status === 'none') return
      onWaiting(status === 'waiting' ? work : undefined)
      if (status === 'waiting') until = Date.now() + limitMs
    } catch (error) {
      // A connection may break, and a service that is starting answers with 503.
      if (!isProblem(error) || (error.status !== 0 && error.status < 500)) throw error
    }
    if (Date.now() > until) throw new Error(t('slow'))
  }
}
