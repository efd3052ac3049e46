/**
 * The first script of a page that is shown, written into it as text. The page's policy withholds the
 * network from everything but two things by which a script could still reach it: connections between
 * browsers, and hints (`<link rel=preconnect>`) or frames, in which the first would be there again.
 * So neither can be made, by markup, by a script, or by a parser.
 *
 * The page runs in the same realm afterwards: what is called then is held here before it can be
 * replaced, lists are read by their indexes, and what is taken away is kept nowhere.
 */
// biome-ignore lint/correctness/noUnusedVariables: used by the script that this is put before
function guardPage() {
  const { apply } = Reflect
  const { indexOf, slice, startsWith, toLowerCase, toUpperCase } = String.prototype
  const none = []
  const refused = ['base', 'embed', 'fencedframe', 'frame', 'frameset', 'iframe', 'link', 'meta', 'object', 'portal']
  const longest = 12

  const remove = (name) => Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false })
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'PresentationRequest']) remove(name)
  // The first makes elements past what follows, the others have an address fetched.
  for (const name of ['XSLTProcessor', 'MediaMetadata', 'PaymentRequest']) remove(name)

  // Ways to make markup that the policy below does not see.
  const seen = ['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'getHTML', 'setHTMLUnsafe', 'parseHTMLUnsafe']
  for (const holder of [Node, Element, HTMLElement, ShadowRoot, DocumentFragment, Document, Range])
    for (const object of [holder, holder.prototype])
      for (const name of Object.getOwnPropertyNames(object)) if (name.includes('HTML') && !seen.includes(name)) delete object[name]

  const lower = (text) => apply(toLowerCase, text, none)
  const isOfName = (character) =>
    character === '-' || (character >= '0' && character <= '9') || lower(character) !== apply(toUpperCase, character, none)
  const isRefused = (name) => {
    for (let index = 0; index < refused.length; index += 1) if (refused[index] === name) return true
    return false
  }
  /** Whether a tag that is refused begins at a place of a text. */
  const isRefusedAt = (text, at) => {
    const start = lower(apply(slice, text, [at, at + longest]))
    for (let index = 0; index < refused.length; index += 1) {
      const name = refused[index]
      if (apply(startsWith, start, [name]) && !isOfName(start[name.length] ?? ' ')) return true
    }
    return false
  }
  /** Markup whose refused tags have a name that means nothing. */
  const withoutRefused = (text) => {
    let made = ''
    let from = 0
    for (;;) {
      const at = apply(indexOf, text, ['<', from])
      if (at < 0) return made + apply(slice, text, [from])
      made += apply(slice, text, [from, at + 1])
      if (isRefusedAt(text, at + 1)) made += 'x-'
      from = at + 1
    }
  }
  const harmless = (name) => (isRefused(lower(name)) ? `x-${name}` : name)
  const harmlessQualified = (name) => {
    const colon = apply(indexOf, name, [':', 0])
    return isRefused(lower(apply(slice, name, [colon + 1]))) ? `x-${apply(slice, name, [colon + 1])}` : name
  }

  trustedTypes.createPolicy('default', {
    createHTML: (text, _type, sink) => (sink === 'HTMLIFrameElement srcdoc' ? '' : withoutRefused(text)),
    createScript: (text) => text,
    createScriptURL: (text) => text,
  })

  const { createElement, createElementNS, execCommand } = Document.prototype
  Document.prototype.createElement = function (name, options) {
    return apply(createElement, this, [harmless(`${name}`), options])
  }
  Document.prototype.createElementNS = function (space, name, options) {
    return apply(createElementNS, this, [space, harmlessQualified(`${name}`), options])
  }
  const { createDocument } = DOMImplementation.prototype
  DOMImplementation.prototype.createDocument = function (space, name, type = null) {
    return apply(createDocument, this, [space, name === null ? null : harmlessQualified(`${name}`), type])
  }
  const { define } = CustomElementRegistry.prototype
  CustomElementRegistry.prototype.define = function (name, made, options) {
    const extended = options?.extends
    if (extended === undefined) return apply(define, this, [name, made])
    return apply(define, this, [name, made, { __proto__: null, extends: harmless(`${extended}`) }])
  }
  const has = (text, part) => apply(indexOf, text, [part, 0]) >= 0
  const { parseFromString } = DOMParser.prototype
  DOMParser.prototype.parseFromString = function (text, type) {
    const [source, kind] = [`${text}`, `${type}`]
    // XML has more than one way to write the name of an element.
    if (kind !== 'text/html' && (has(source, 'xhtml') || has(source, '&#') || has(source, '<!DOCTYPE')))
      throw new TypeError('This text is not parsed in a preview.')
    return apply(parseFromString, this, [source, kind])
  }
  Document.prototype.execCommand = function (name, ...rest) {
    const command = `${name}`
    return lower(command) === 'inserthtml' ? false : apply(execCommand, this, [command, rest[0], rest[1]])
  }

  // A tag can be split between two calls, so what is written goes in as one piece of markup.
  const { insertAdjacentHTML } = Element.prototype
  const write = (text) => {
    const { currentScript, body } = document
    if (currentScript !== null) apply(insertAdjacentHTML, currentScript, ['beforebegin', `${text}`])
    else if (body !== null) apply(insertAdjacentHTML, body, ['beforeend', `${text}`])
  }
  Document.prototype.write = write
  Document.prototype.writeln = write
  Document.prototype.open = () => document
  Document.prototype.close = () => undefined

  // Links lead nowhere from here, but to places of the page itself.
  addEventListener(
    'click',
    (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href], area[href]') : null
      const target = link?.getAttribute('href') ?? 'javascript:'
      if (/^\s*javascript:/i.test(target)) return
      event.preventDefault()
      if (target.startsWith('#')) location.hash = target
    },
    true,
  )
  // The frame around it learns that it is still here.
  addEventListener('load', () => parent.postMessage('loaded', '*'))
  document.currentScript.remove()
}
