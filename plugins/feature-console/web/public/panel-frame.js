/** The bridge in the frame of a panel, behind `frame-port.js`: it gives the module `consolePanel`. */
// biome-ignore lint/correctness/noUnusedVariables: called by the script that this is put into
function startPanel(element) {
  const maxMessageLength = 262_144
  const calls = new Map()
  const listeners = new Set()
  let sendText
  let lastId = 0
  let isShown = false
  let appearance = Object.freeze({ theme: 'light', language: 'en', direction: 'ltr', tokens: Object.freeze({}) })

  const problem = (code, message, status = 0) => Object.assign(new Error(message), { code, status })
  const send = (message) => {
    const text = JSON.stringify(message)
    if (text.length > maxMessageLength)
      throw problem('too_large', `The message has ${text.length} characters, more than ${maxMessageLength}.`)
    sendText(text)
  }

  const bridge = {
    get appearance() {
      return appearance
    },
    onAppearance(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    call(method, path, { query, body } = {}) {
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        send({ kind: 'call', id, method, path, query, body })
        calls.set(id, { resolve, reject })
      })
    },
    fail: (message) => send({ kind: 'failed', message: String(message).slice(0, 500), final: true }),
  }
  Object.defineProperty(globalThis, 'consolePanel', { value: Object.freeze(bridge), writable: false, configurable: false })

  const receive = (message) => {
    if (message.kind === 'appearance') return adopt(message.appearance)
    const call = calls.get(message.id)
    calls.delete(message.id)
    if (message.kind === 'answer') call?.resolve(message.json)
    else call?.reject(problem(message.code, message.message, message.status))
  }

  const adopt = (next) => {
    appearance = Object.freeze({ ...next, tokens: Object.freeze(next.tokens) })
    const root = document.documentElement
    root.lang = next.language
    root.dir = next.direction
    root.dataset.theme = next.theme
    root.style.colorScheme = next.theme
    for (const [name, value] of Object.entries(next.tokens)) root.style.setProperty(name, value)
    for (const listener of [...listeners]) listener(appearance)
    if (!isShown) show()
  }

  const show = () => {
    isShown = true
    customElements.whenDefined(element).then(() => {
      document.body.append(document.createElement(element))
      watchSize()
      send({ kind: 'ready' })
    })
  }

  const watchSize = () => {
    let last = 0
    let isPausing = false
    const report = () => {
      const height = Math.ceil(document.body.getBoundingClientRect().height)
      if (height === last) return
      last = height
      send({ kind: 'size', height })
      // The first change is reported at once, so that nothing is cut off; more of them after a pause.
      isPausing = true
      setTimeout(() => {
        isPausing = false
        report()
      }, 100)
    }
    new ResizeObserver(() => {
      if (!isPausing) report()
    }).observe(document.body)
  }

  const reportError = (error) => {
    const message = error instanceof Error ? error.message : String(error)
    send({ kind: 'failed', message: message.slice(0, 500), final: false })
  }
  addEventListener('error', (event) => reportError(event.error ?? event.message))
  addEventListener('unhandledrejection', (event) => reportError(event.reason))

  sendText = openFramePort('agent-service-panel', receive)
}
