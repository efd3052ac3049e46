interface Block {
  readonly type: string
  readonly text?: { readonly text: string }
  readonly elements?: readonly { readonly value: string; readonly text: { readonly text: string } }[]
}

interface Shown {
  readonly text: string
  readonly buttons?: readonly { readonly label: string; readonly value: string }[]
}

/** What people see of a message: its blocks if it has any, otherwise its text, with what was escaped. */
export function shownText(parameter: (name: string) => string): Shown {
  const blocks = JSON.parse(parameter('blocks') || '[]') as readonly Block[]
  const text = blocks.length > 0 ? blocks.map((block) => block.text?.text ?? '').join('') : parameter('text')
  const buttons = blocks.flatMap(({ elements = [] }) => elements.map(({ value, text: label }) => ({ label: label.text, value })))
  const shown = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return { text: shown, ...(buttons.length > 0 && { buttons }) }
}
