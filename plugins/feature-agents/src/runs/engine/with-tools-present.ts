import type { ToolPresence } from '../tools/tool-presence.js'
import type { RunDriver } from './run-driver.js'

/** The driver, which begins once the tools of the run's agent are there, or are known not to come. */
export function withToolsPresent(driver: RunDriver, presence: Pick<ToolPresence, 'until'>): RunDriver {
  return {
    refuse: driver.refuse,
    async drive(session) {
      await presence.until(session.agent.tools, session.signal)
      await driver.drive(session)
    },
  }
}
