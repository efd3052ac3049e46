/*
 * What is done here must work although a plugin has replaced what it uses: functions are taken when
 * the module is loaded, and lists are walked by position, since iterators can be replaced too.
 */
const { getOwnPropertyDescriptor, ownKeys, defineProperty, deleteProperty, getPrototypeOf, setPrototypeOf } = Reflect
const same = Object.is
const textOf = String

/** How additions are judged: on `Object.prototype` all, on other prototypes those that `for … in` sees. */
type Additions = 'refused' | 'refused if enumerable' | 'tolerated'

interface Guarded {
  readonly name: string
  readonly object: object
  readonly additions: Additions
  prototype: object | null
  readonly keys: (string | symbol)[]
  readonly descriptors: (PropertyDescriptor | undefined)[]
}

/**
 * What programs change without harm: how stacks and functions look as text, what tracing and logging
 * wrap, and how to write numbers as JSON that JSON itself refuses.
 */
const tolerated: readonly string[] = [
  'Error.stackTraceLimit',
  'Error.prepareStackTrace',
  'Function.prototype.toString',
  'BigInt.prototype.toJSON',
  'globalThis.console',
  'globalThis.fetch',
  // The service has reflect-metadata, and bundles with decorators bring it along once more.
  ...['decorate', 'metadata', 'defineMetadata', 'deleteMetadata'].map((name) => `Reflect.${name}`),
  ...['hasMetadata', 'hasOwnMetadata', 'getMetadata', 'getOwnMetadata'].map((name) => `Reflect.${name}`),
  ...['getMetadataKeys', 'getOwnMetadataKeys'].map((name) => `Reflect.${name}`),
]

/** What the language itself asks values for: one added to a prototype changes every `await`, and all that is written as JSON. */
const askedFor: readonly string[] = ['then', 'toJSON']

/** Functions of Node on `globalThis` that the service relies on. */
const nodeGlobals = [
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  ...['queueMicrotask', 'structuredClone'],
]

/**
 * Puts back what was changed since this module was loaded, as far as that is possible, and returns a
 * line for each change, without the one who made it. What cannot be put back has its line once, so
 * that no later plugin is refused for it.
 */
export function restoreIntrinsics(): readonly string[] {
  const lines: string[] = []
  for (let position = 0; position < guarded.length; position++) {
    const each = guarded[position] as Guarded
    restorePrototype(each, lines)
    restoreKnown(each, lines)
    if (each.additions !== 'tolerated') removeAdded(each, lines)
  }
  return lines
}

function restorePrototype(each: Guarded, lines: string[]): void {
  const now = getPrototypeOf(each.object)
  if (now === each.prototype) return
  const isBack = setPrototypeOf(each.object, each.prototype)
  if (!isBack) each.prototype = now
  lines[lines.length] = lineOf(`replaced the prototype of ${each.name}`, isBack)
}

function restoreKnown({ name, object, keys, descriptors }: Guarded, lines: string[]): void {
  for (let position = 0; position < keys.length; position++) {
    const key = keys[position] as string | symbol
    const before = descriptors[position]
    const now = getOwnPropertyDescriptor(object, key)
    if (isSame(before, now)) continue
    const isBack = before === undefined ? deleteProperty(object, key) : defineProperty(object, key, before)
    if (!isBack) descriptors[position] = now
    lines[lines.length] = lineOf(`${deedOf(before, now)} ${memberName(name, key)}`, isBack)
  }
}

function removeAdded({ name, object, additions, keys, descriptors }: Guarded, lines: string[]): void {
  const now = ownKeys(object)
  if (now.length === keys.length) return
  for (let position = 0; position < now.length; position++) {
    const key = now[position] as string | symbol
    const descriptor = getOwnPropertyDescriptor(object, key)
    if (includes(keys, key) || includes(tolerated, memberName(name, key))) continue
    if (additions !== 'refused' && descriptor?.enumerable !== true && !includes(askedFor, key)) continue
    const isBack = deleteProperty(object, key)
    if (!isBack) {
      keys[keys.length] = key
      descriptors[descriptors.length] = descriptor
    }
    lines[lines.length] = lineOf(`added ${memberName(name, key)}`, isBack)
  }
}

function deedOf(before: PropertyDescriptor | undefined, now: PropertyDescriptor | undefined): string {
  if (now === undefined) return 'removed'
  const isLocked = before !== undefined && isSameValue(before, now) && (now.configurable !== true || now.writable === false)
  return isLocked ? 'locked' : 'replaced'
}

const lineOf = (deed: string, isBack: boolean): string =>
  `it ${deed}, but what the language and Node provide belongs to the service and all its plugins. ${
    isBack ? 'That was put back.' : 'That cannot be put back: restart the service without the plugin.'
  } Use a function of its own instead, and no library that changes globals`

const memberName = (name: string, key: string | symbol): string => (typeof key === 'symbol' ? `${name}[${textOf(key)}]` : `${name}.${key}`)

function includes(keys: readonly (string | symbol)[], key: string | symbol): boolean {
  for (let position = 0; position < keys.length; position++) if (keys[position] === key) return true
  return false
}

const isSame = (before: PropertyDescriptor | undefined, now: PropertyDescriptor | undefined): boolean =>
  before === undefined || now === undefined
    ? before === now
    : isSameValue(before, now) &&
      before.writable === now.writable &&
      before.enumerable === now.enumerable &&
      before.configurable === now.configurable

const isSameValue = (before: PropertyDescriptor, now: PropertyDescriptor): boolean =>
  same(before.value, now.value) && before.get === now.get && before.set === now.set

/** The globals of the language with their prototypes, the iterators without a name, and some of Node. */
function capture(): readonly Guarded[] {
  const languageGlobals = ownKeys(globalThis).filter((key) => {
    const descriptor = getOwnPropertyDescriptor(globalThis, key)
    return descriptor !== undefined && 'value' in descriptor && descriptor.enumerable === false && typeof key === 'string'
  }) as string[]
  const objects = new Map<object, { readonly name: string; readonly additions: Additions; readonly keys?: readonly string[] }>()
  const add = (object: unknown, name: string, additions: Additions, keys?: readonly string[]): void => {
    const isObject = (typeof object === 'object' && object !== null) || typeof object === 'function'
    if (isObject && !objects.has(object)) objects.set(object, { name, additions, ...(keys && { keys }) })
  }
  add(Object.prototype, 'Object.prototype', 'refused')
  add(globalThis, 'globalThis', 'tolerated', [...languageGlobals, ...nodeGlobals])
  add(process, 'process', 'tolerated', ['env', 'nextTick', 'hrtime'])
  for (const name of [...languageGlobals, 'Buffer']) {
    if (includes(tolerated, `globalThis.${name}`)) continue
    const value = (globalThis as Record<string, unknown>)[name]
    add(value, name, 'tolerated')
    if (typeof value === 'function') add(value.prototype, `${name}.prototype`, 'refused if enumerable')
  }
  const prototypeOf = getPrototypeOf as (value: unknown) => object
  for (const [name, sample] of [
    ['ArrayIterator', [].values()],
    ['MapIterator', new Map().values()],
    ['SetIterator', new Set().values()],
    ['StringIterator', ''[Symbol.iterator]()],
    ['Iterator', prototypeOf([].values())],
    ['TypedArray', Uint8Array.prototype],
    [
      'AsyncGenerator',
      prototypeOf(
        (async function* () {
          yield 0
        })(),
      ),
    ],
    [
      'Generator',
      prototypeOf(
        (function* () {
          yield 0
        })(),
      ),
    ],
    ['AsyncFunction', async () => undefined],
  ] as const)
    add(prototypeOf(sample), `${name}.prototype`, 'refused if enumerable')
  return [...objects].map(([object, { name, additions, keys: wanted }]) => {
    const keys = (wanted ?? ownKeys(object)).filter((key) => !includes(tolerated, memberName(name, key)))
    const present = keys.filter((key) => getOwnPropertyDescriptor(object, key) !== undefined)
    const descriptors = present.map((key) => getOwnPropertyDescriptor(object, key) as PropertyDescriptor)
    return { name, object, additions, prototype: getPrototypeOf(object), keys: present, descriptors }
  })
}

/** As they were when the host was loaded, before any code of a plugin. */
const guarded = capture()
