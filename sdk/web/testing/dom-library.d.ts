/** What is used of happy-dom. */
export interface DomWindow extends Record<string, unknown> {
  readonly document: Document
  readonly navigator: Navigator
}

export const Window: new (options: { readonly url: string; readonly width: number; readonly height: number }) => DomWindow
