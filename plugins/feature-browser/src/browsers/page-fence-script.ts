/**
 * Runs in every document before its own scripts. Takes away what reaches the network beside the
 * proxy: WebRTC (peer connections send UDP themselves) and WebTransport. The document of a new
 * window is reached by its opener before it is attached, so that `window.open` does the same there.
 */
export const pageFenceScript = `(() => {
  const names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection', 'RTCIceGatherer', 'RTCIceTransport', 'WebTransport'];
  const absent = { value: undefined, writable: false, enumerable: false, configurable: false };
  const fence = (target) => {
    for (const name of names) {
      try { Object.defineProperty(target, name, absent); } catch { /* It is absent already, or of another origin, where this script runs by itself. */ }
    }
  };
  fence(globalThis);
  const open = globalThis.open;
  if (typeof open !== 'function') return;
  const fenced = { open(...parameters) {
    const opened = Reflect.apply(open, this, parameters);
    if (opened) fence(opened);
    return opened;
  } }.open;
  Object.defineProperty(globalThis, 'open', { value: fenced, writable: false, enumerable: true, configurable: false });
})()`
