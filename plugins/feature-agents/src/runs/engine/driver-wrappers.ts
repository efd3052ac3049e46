import { reportRunEnd } from '../../points/hooks/run-ended.js'
import type { RunHooks } from '../../points/hooks/run-hooks.js'
import type { ToolPresence } from '../tools/tool-presence.js'
import type { RunDriver } from './run-driver.js'

/**
 * A driver that begins when the tools of the run's agent are available, or are known not to come.
 */
export function waitForTools(driver: RunDriver, presence: Pick<ToolPresence, 'until'>): RunDriver {
  return {
    refuse: driver.refuse,
    async drive(session) {
      await presence.until(session.agent.tools, session.signal)
      await driver.drive(session)
    },
  }
}

/** A driver after which a model makes the title of a chat that has got its first answer. */
export function makeTitles(driver: RunDriver, titles: { wake(chatId: string): void }): RunDriver {
  return {
    refuse: driver.refuse,
    async drive(session) {
      await driver.drive(session)
      if (session.titleDue) titles.wake(session.run.chat_id)
    },
  }
}

/** A driver that reports the end of its runs to the hooks. */
export function reportEndToHooks(driver: RunDriver, hooks: Pick<RunHooks, 'has' | 'runEnded'>): RunDriver {
  return {
    async refuse(session, failure) {
      await driver.refuse(session, failure)
      reportRunEnd(hooks, session)
    },
    async drive(session) {
      await driver.drive(session)
      reportRunEnd(hooks, session)
    },
  }
}
