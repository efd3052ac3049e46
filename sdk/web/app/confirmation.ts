import { createSignal } from 'solid-js'
import { isProblem } from '../api/problem.js'

interface Question {
  /** What needs it. */
  readonly reason: string
  readonly answer: (confirmed: boolean) => void
}

const [asked, setAsked] = createSignal<Question>()

/** The question that the shell shows. */
export const identityQuestion = asked

/**
 * Asks the person to confirm who they are, for the few minutes in which the service then allows
 * more. False if they gave up.
 */
export const confirmIdentity = (reason: string): Promise<boolean> =>
  new Promise((resolve) => {
    asked()?.answer(false)
    setAsked({
      reason,
      answer: (confirmed) => {
        setAsked(undefined)
        resolve(confirmed)
      },
    })
  })

/**
 * Runs what may need a confirmed session; if the service asks who is at the keyboard, the person is
 * asked, and it runs again. False if the person gave up. @throws what it throws otherwise.
 */
export async function whenConfirmed(reason: string, action: () => Promise<unknown>): Promise<boolean> {
  for (;;) {
    try {
      await action()
      return true
    } catch (error) {
      if (!isProblem(error, 'confirmation_required')) throw error
      if (!(await confirmIdentity(reason))) return false
    }
  }
}
