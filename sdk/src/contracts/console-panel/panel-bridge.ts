import type { JsonValue } from '../../core/json.js'

/** How the console looks now. */
export interface PanelAppearance {
  /** What the person chose, or the system's. */
  readonly theme: 'light' | 'dark'
  /** The language of the console: `en`, `de`. */
  readonly language: string
  /** Of the language. */
  readonly direction: 'ltr' | 'rtl'
  /**
   * The design tokens of the console, by custom property: `--accent`. They are set on the frame's
   * root already, so that styles write `var(--accent)`.
   */
  readonly tokens: Readonly<Record<string, string>>
}

/** Why a call failed: the rejection of {@link PanelBridge.call} is an `Error` with these members. */
export interface PanelProblem {
  /** Of the problem; `route_not_own`, `too_many_calls` and `too_large` are the console's. */
  readonly code: string
  /** Of the answer; 0 if there was none. */
  readonly status: number
  /** What happened, and how to mend it. */
  readonly message: string
}

/**
 * What the module of a panel finds as the global `consolePanel`, before its element is made.
 * Everything passes as text; there is nothing else that reaches out of the frame.
 *
 * @example
 * declare const consolePanel: PanelBridge
 * const { items } = await consolePanel.call('GET', '/api/plugins/tool-dice/rolls', { query: { limit: 10 } }) as { items: number[] }
 */
export interface PanelBridge {
  /** As it is now. */
  readonly appearance: PanelAppearance
  /** Calls back after each change of it. The result ends that. */
  onAppearance(listener: (appearance: PanelAppearance) => void): () => void
  /**
   * Calls a route of this plugin as the person who is signed in, and resolves to its JSON (`null`
   * if there is none). At most 8 calls at a time and 10 a second, 256 KiB out and 1 MiB back.
   * @throws an `Error` with the members of {@link PanelProblem}.
   */
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: {
      /** The query, as text. Default none. */
      readonly query?: Readonly<Record<string, string | number | boolean>>
      /** The JSON body. Default none. */
      readonly body?: JsonValue
    },
  ): Promise<JsonValue>
  /** Says that the page cannot go on: the console shows the text in its place, with a way to try again. */
  fail(message: string): void
}
