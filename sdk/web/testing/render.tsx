import { userEvent } from '@testing-library/user-event'
import { createRoot, type JSX } from 'solid-js'
import { render as renderInto } from 'solid-js/web'
import { takePlace } from '../app/router.js'
import { Confirmations } from '../ui/dialog.js'
import { Banners, LiveRegion, Toasts } from '../ui/notices.js'
import { onTestEnd } from './running-test.js'
import { type Person, signInAs } from './stand-in-person.js'

/** Who looks, and where. */
export interface RenderOptions extends Person {
  /** The path of the console that is shown, with its query: `/prompts?search=a`. Default: `/`. */
  readonly at?: string
}

/** What a person does: `click`, `type`, `keyboard`, `upload` and the like of user-event, each as a promise. */
export type User = ReturnType<typeof userEvent.setup>

/** A component that is shown. */
export interface Rendered {
  /** The person at the keyboard and the mouse. */
  readonly user: User
  /** What the component is in. Dialogs and toasts are beside it. */
  readonly container: HTMLElement
  /** Takes the component away, as leaving its screen does. */
  unmount(): void
}

/**
 * Shows a component in the page of the test, with the places for toasts, banners, questions (`confirmAction`) and announcements
 * that the console has around screens. It is taken away at the end of the test. What is shown is looked for with `screen`.
 *
 * @example
 * const { user } = render(() => <Rolls />, { at: '/panels/tool-dice', admin: true, language: 'de' })
 * await user.click(screen.getByRole('button', { name: 'Würfeln' }))
 */
export function render(component: () => JSX.Element, options: RenderOptions = {}): Rendered {
  signInAs(options)
  takePlace(options.at ?? '/')
  const page = document.body.appendChild(document.createElement('div'))
  const container = page.appendChild(document.createElement('main'))
  const around = page.appendChild(document.createElement('div'))
  const disposeAround = renderInto(
    () => (
      <>
        <Banners />
        <Toasts />
        <Confirmations />
        <div data-announcements>
          <LiveRegion />
        </div>
      </>
    ),
    around,
  )
  // First: a component that fails while it is made leaves nothing to the next test.
  onTestEnd(disposeAround)
  const dispose = renderInto(component, container)
  onTestEnd(dispose)
  // Without styles nothing keeps the pointer from what is there.
  return { user: userEvent.setup({ document, pointerEventsCheck: 0 }), container, unmount: dispose }
}

/** What assistive technology was told last (`announce`); toasts and banners are announced too. */
export const announced = (): string => document.querySelector('[data-announcements]')?.textContent ?? ''

/**
 * Runs `start` of a screen as the console does beside all screens; at the end of the test all that it has added is taken back.
 *
 * @example
 * runStart(start)
 * expect(messageActions().map(({ title }) => textOf(title))).to.deep.equal(['Roll for it'])
 */
export function runStart(start: () => void): void {
  createRoot((dispose) => {
    onTestEnd(dispose)
    start()
  })
}
