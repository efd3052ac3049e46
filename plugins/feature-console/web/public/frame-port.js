/**
 * The first part of the only script of a frame: it removes what reaches the network beside the
 * page's policy, and opens the port to the console, which checks all that comes over it. Messages are JSON texts.
 */
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'PresentationRequest'])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false })

/** Greets the console and takes its port. Returns what sends a text, which waits until the port is there. */
// biome-ignore lint/correctness/noUnusedVariables: called by the scripts that are put behind it
function openFramePort(greeting, receive) {
  const waiting = []
  let port
  const onPort = (event) => {
    if (event.source !== parent || !event.ports[0]) return
    removeEventListener('message', onPort)
    port = event.ports[0]
    port.addEventListener('message', ({ data }) => receive(JSON.parse(data)))
    port.start()
    for (const text of waiting.splice(0)) port.postMessage(text)
  }
  addEventListener('message', onPort)
  parent.postMessage(greeting, '*')
  return (text) => {
    if (port) port.postMessage(text)
    else waiting.push(text)
  }
}
