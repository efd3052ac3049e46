/** A node of `Accessibility.getFullAXTree`, as far as it matters. */
export interface AccessibleNode {
  readonly nodeId: string
  readonly ignored?: boolean
  readonly role?: { readonly value?: unknown }
  readonly name?: { readonly value?: unknown }
  readonly value?: { readonly value?: unknown }
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[]
  readonly childIds?: readonly string[]
  readonly parentId?: string
  readonly backendDOMNodeId?: number
}

/** Shown by what is in them alone. */
const transparentRoles: ReadonlySet<string> = new Set([
  'none',
  'generic',
  'presentation',
  'InlineTextBox',
  'LayoutTable',
  'LayoutTableRow',
  'LayoutTableCell',
  'Section',
  'Pre',
  'LabelText',
])
const hiddenRoles: ReadonlySet<string> = new Set(['LineBreak', 'InlineTextBox', 'ListMarker'])
const actionRoles: ReadonlySet<string> = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'option', 'checkbox', 'radio', 'switch', 'slider', 'spinbutton'],
  ...['menuitem', 'menuitemcheckbox', 'menuitemradio', 'tab', 'treeitem', 'PopUpButton', 'DisclosureTriangle', 'MenuListPopup'],
  ...['Date', 'DateTime', 'InputTime', 'ColorWell', 'gridcell', 'image', 'Iframe'],
])
const shownStates: ReadonlySet<string> = new Set([
  'checked',
  'disabled',
  'expanded',
  'selected',
  'pressed',
  'required',
  'readonly',
  'focused',
  'invalid',
  'level',
])

/** What a tree is turned into lines with. */
export interface TreeWriter {
  /** A line at a depth. False: there is no room for more. */
  line(depth: number, text: string): boolean
  /** The name by which actions refer to an element. */
  refOf(backendNodeId: number): string
  /** Whether the value of a field, and what is in it, is kept to itself. */
  isSecret(backendNodeId: number): boolean
  /** The frame in an element was reached: writes what is in it. */
  frame(backendNodeId: number, depth: number): void
}

/** Writes a tree as an indented list: role, name, states, the ref for actions, and the value. */
export function writeTree(nodes: readonly AccessibleNode[], depth: number, writer: TreeWriter): void {
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const root = nodes.find(({ parentId }) => parentId === undefined) ?? nodes[0]
  // Deep trees of hostile pages must not take the stack.
  const waiting: { readonly id: string; readonly depth: number; readonly around: string }[] = []
  const seen = new Set<string>()
  const descend = (node: AccessibleNode, below: number, around: string): void => {
    for (const id of [...(node.childIds ?? [])].reverse()) waiting.push({ id, depth: below, around })
  }
  if (root !== undefined) waiting.push({ id: root.nodeId, depth, around: '' })
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = byId.get(next.id)
    if (node === undefined || seen.has(next.id)) continue
    seen.add(next.id)
    const role = textOf(node.role?.value)
    if (hiddenRoles.has(role)) continue
    if (node.ignored === true || transparentRoles.has(role) || role === 'RootWebArea') {
      descend(node, next.depth, next.around)
      continue
    }
    const name = oneLine(textOf(node.name?.value))
    if (role === 'StaticText') {
      // Its element has said it already.
      if (name === '' || next.around.includes(name)) continue
      if (!writer.line(next.depth, `- text: ${name}`)) return
      continue
    }
    const id = node.backendDOMNodeId
    const isSecret = id !== undefined && writer.isSecret(id)
    if (!writer.line(next.depth, lineOf(node, { role, name, isSecret, ref: refFor(node, role, writer) }))) return
    if (role === 'Iframe' && id !== undefined) writer.frame(id, next.depth + 1)
    if (!isSecret) descend(node, next.depth + 1, `${name} ${oneLine(textOf(node.value?.value))}`)
  }
}

function refFor({ backendDOMNodeId: id, properties = [] }: AccessibleNode, role: string, writer: TreeWriter): string | undefined {
  if (id === undefined) return undefined
  const canFocus = properties.some(({ name, value }) => (name === 'focusable' || name === 'editable') && value.value !== false)
  return actionRoles.has(role) || canFocus ? writer.refOf(id) : undefined
}

function lineOf(
  { value, properties = [] }: AccessibleNode,
  {
    role,
    name,
    ref,
    isSecret,
  }: { readonly role: string; readonly name: string; readonly ref: string | undefined; readonly isSecret: boolean },
): string {
  const states = properties
    .filter(
      ({ name: state, value: found }) =>
        shownStates.has(state) && found.value !== false && found.value !== 'false' && found.value !== undefined,
    )
    .map(({ name: state, value: found }) =>
      found.value === true || found.value === 'true' ? state : `${state}=${oneLine(textOf(found.value))}`,
    )
  const marks = [...states, ...(ref === undefined ? [] : [`ref=${ref}`])].map((mark) => ` [${mark}]`).join('')
  const held = isSecret ? '(from a credential)' : oneLine(textOf(value?.value))
  const shownName = name === '' ? '' : ` ${JSON.stringify(name)}`
  return `- ${role}${shownName}${marks}${held === '' || held === name ? '' : `: ${held}`}`
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const maxText = 500

/** Control characters and line ends could pretend to be other lines. */
function oneLine(text: string): string {
  const plain = text
    .slice(0, maxText * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029\s]+/gu, ' ')
    .trim()
  // A word that would be cut is left out: a part of a secret would not be known as one.
  return plain.length > maxText ? `${plain.slice(0, maxText - 1).replace(/[!-~]+$/, '')}…` : plain
}
