/** Brings a setting or an entry into view, with the focus in its field. */
export function focusSetting(path: string): void {
  setTimeout(() => {
    const quoted = CSS.escape(path)
    const line = document.querySelector<HTMLElement>(`[data-path="${quoted}"]`)
    const inEntry = document.querySelector<HTMLElement>(`[data-entry="${quoted}"]`)
    const target = line ?? inEntry
    target?.scrollIntoView({ block: 'center' })
    const start = line ?? (inEntry?.nextElementSibling as HTMLElement | null)
    start?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true })
  })
}
