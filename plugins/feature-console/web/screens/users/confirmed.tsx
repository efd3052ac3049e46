import { createSignal, type JSX, Show } from 'solid-js'
import { isProblem } from '../../api/problem.js'
import { ConfirmIdentity } from '../profile/confirm-identity.js'

/** Runs what may need a confirmed session. */
export interface Confirmed {
  /**
   * Runs it; if the service asks who is at the keyboard, the person is asked, and it runs again.
   * False if the person gave up. @throws what it throws otherwise.
   */
  run(action: () => Promise<unknown>): Promise<boolean>
  /** Where the question appears. */
  readonly view: () => JSX.Element
}

export function createConfirmed(reason: () => string): Confirmed {
  const [answer, setAnswer] = createSignal<(confirmed: boolean) => void>()
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      setAnswer(() => (confirmed: boolean) => {
        setAnswer(undefined)
        resolve(confirmed)
      })
    })
  return {
    async run(action) {
      for (;;) {
        try {
          await action()
          return true
        } catch (error) {
          if (!isProblem(error, 'confirmation_required')) throw error
          if (!(await ask())) return false
        }
      }
    },
    view: () => (
      <Show when={answer()} keyed>
        {(settle) => <ConfirmIdentity reason={reason()} onClose={() => settle(false)} onConfirmed={() => settle(true)} />}
      </Show>
    ),
  }
}
