/** A beginning of reasoning, and what ends it. */
interface ReasoningTag {
  readonly open: string
  readonly closings: readonly string[]
}

/**
 * The names of tags in angle brackets that models are trained to write (`think`: DeepSeek, Qwen,
 * GLM, MiniMax, Kimi and most others; `seed:think`: Seed-OSS; `mm:think`: MiniMax), and those that
 * prompts and fine-tuned models use. Upper and lower case count the same, and attributes may follow.
 */
const names = ['think', 'thinking', 'thought', 'thoughts', 'reason', 'reasoning', 'seed:think', 'mm:think'] as const

const harmonyClosings = ['<|end|>', '<|start|>assistant', '<|return|>']

/** Marks without angle brackets or with bars, as the chat templates of these models define them. */
const marks: readonly ReasoningTag[] = [
  // Magistral and Ministral.
  { open: '[THINK]', closings: ['[/THINK]'] },
  // Kimi-VL.
  { open: '◁think▷', closings: ['◁/think▷'] },
  // Sky-T1, OpenThinker.
  { open: '<|begin_of_thought|>', closings: ['<|end_of_thought|>'] },
  // Command A Reasoning.
  { open: '<|START_THINKING|>', closings: ['<|END_THINKING|>'] },
  // Gemma 4.
  { open: '<|channel>thought', closings: ['<channel|>'] },
  // gpt-oss, if its server does not read its format.
  { open: '<|channel|>analysis<|message|>', closings: harmonyClosings },
  { open: '<|start|>assistant<|channel|>analysis<|message|>', closings: harmonyClosings },
]

/** Marks around the answer that the same models write; they belong to no text. */
const frames: readonly { readonly begin: string; readonly ends: readonly string[] }[] = [
  { begin: '<|begin_of_solution|>', ends: ['<|end_of_solution|>'] },
  { begin: '<|START_RESPONSE|>', ends: ['<|END_RESPONSE|>'] },
  { begin: '<|channel|>final<|message|>', ends: ['<|return|>', '<|end|>'] },
  { begin: '<|start|>assistant<|channel|>final<|message|>', ends: ['<|return|>', '<|end|>'] },
  { begin: '<|channel|>commentary<|message|>', ends: ['<|end|>'] },
  { begin: '<|start|>assistant<|channel|>commentary<|message|>', ends: ['<|end|>'] },
]

/** What ends reasoning whose beginning stands in the prompt of the model. */
export const anyClosing: readonly string[] = [
  ...names.map((name) => `</${name}>`),
  '[/THINK]',
  '◁/think▷',
  '<|end_of_thought|>',
  '<|END_THINKING|>',
]

/** How the beginning of a text is to be read. `more`: the next characters decide. */
export type TextBegin =
  | { readonly kind: 'plain' | 'more' }
  | { readonly kind: 'reasoning'; readonly length: number; readonly closings: readonly string[] }
  | { readonly kind: 'frame'; readonly length: number; readonly ends: readonly string[] }
  | { readonly kind: 'closing'; readonly length: number }

const opening = new RegExp(`^<(${names.join('|')})(?:\\s[^<>]{0,200})?>`, 'i')
const openAttributes = new RegExp(`^<(?:${names.join('|')})\\s[^<>]{0,200}$`, 'i')

/** More than the longest opening tag with its attributes. */
const maxTag = 300

/** Reads the first characters of a text without blanks before it. Its cost does not grow with the text. */
export function readTextBegin(all: string): TextBegin {
  const text = all.slice(0, maxTag)
  if (!/^[<[◁]/.test(text)) return { kind: 'plain' }
  const named = opening.exec(text)
  if (named) return { kind: 'reasoning', length: named[0].length, closings: [`</${named[1]?.toLowerCase()}>`] }
  const mark = marks.find(({ open }) => startsWith(text, open))
  if (mark) return { kind: 'reasoning', length: mark.open.length, closings: mark.closings }
  const frame = frames.find(({ begin }) => startsWith(text, begin))
  if (frame) return { kind: 'frame', length: frame.begin.length, ends: frame.ends }
  const closing = anyClosing.find((each) => startsWith(text, each))
  if (closing !== undefined) return { kind: 'closing', length: closing.length }
  const possible = [
    ...names.map((name) => `<${name}`),
    ...marks.map(({ open }) => open),
    ...frames.map(({ begin }) => begin),
    ...anyClosing,
  ]
  const isOpen = possible.some((each) => each.length >= text.length && startsWith(each, text)) || openAttributes.test(text)
  return { kind: isOpen ? 'more' : 'plain' }
}

/** Where one of the closings stands first, and its length. */
export function findFirst(text: string, closings: readonly string[]): { readonly at: number; readonly length: number } | undefined {
  const found = patternOf(closings).exec(text)
  return found ? { at: found.index, length: found[0].length } : undefined
}

/** How many characters at the end of a text could be the beginning of one of the closings. */
export function openEnd(text: string, closings: readonly string[]): number {
  const longest = Math.max(...closings.map(({ length }) => length)) - 1
  for (let length = Math.min(longest, text.length); length > 0; length -= 1) {
    const end = text.slice(text.length - length)
    if (closings.some((closing) => closing.length > length && startsWith(closing, end))) return length
  }
  return 0
}

const patterns = new WeakMap<readonly string[], RegExp>()

function patternOf(closings: readonly string[]): RegExp {
  const known = patterns.get(closings)
  if (known) return known
  const made = new RegExp(closings.map((closing) => closing.replaceAll(/[|[\]/]/g, '\\$&')).join('|'), 'i')
  patterns.set(closings, made)
  return made
}

/** Whether a text starts with another, in upper or lower case. */
const startsWith = (text: string, start: string): boolean => text.slice(0, start.length).toLowerCase() === start.toLowerCase()
