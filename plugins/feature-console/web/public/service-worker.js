/**
 * Keeps the files of the console, so that it opens without a network. Requests of the API are not
 * touched, and no answer of it is ever kept.
 */
const kept = 'console-files'
const page = '/'

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.add(page)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (pathname.startsWith('/assets/')) event.respondWith(fromCache(request))
  else if (request.mode === 'navigate' && !/^\/(api|v1|s|p|\.well-known)(\/|$)/.test(pathname)) event.respondWith(fromNetwork(request))
})

/** Names of assets have a hash: a kept one is always right. */
async function fromCache(request) {
  const cache = await caches.open(kept)
  const found = await cache.match(request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

/** The newest page; the kept one without a network. Assets that it no longer names are dropped. */
async function fromNetwork(request) {
  const cache = await caches.open(kept)
  try {
    const response = await fetch(request)
    if (response.ok && response.headers.get('content-type')?.startsWith('text/html')) {
      const before = await cache.match(page)
      const text = await response.clone().text()
      if (before && (await before.text()) !== text) await dropAssets(cache)
      await cache.put(page, response.clone())
    }
    return response
  } catch (error) {
    const found = await cache.match(page)
    if (found) return found
    throw error
  }
}

async function dropAssets(cache) {
  for (const request of await cache.keys()) if (new URL(request.url).pathname.startsWith('/assets/')) await cache.delete(request)
}
