/**
 * Keeps the files of the console, so that it opens without a network. Requests of the API are not
 * touched, and no answer of it is ever kept. The service may be below a path, and another one beside it.
 */
const page = new URL('.', self.location.href).pathname
const kept = page === '/' ? 'console-files' : `console-files@${page}`
/** The path of the service in that of an address, without the slash that it begins with. */
const pathOf = (address) => new URL(address).pathname.slice(page.length)

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.add(page)))
  self.skipWaiting()
})

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || !pathname.startsWith(page)) return
  const path = pathOf(request.url)
  if (path.startsWith('assets/')) event.respondWith(fromCache(request))
  else if (request.mode === 'navigate' && !/^(api|v1|s|p|\.well-known)(\/|$)/.test(path)) event.respondWith(fromNetwork(request))
})

/** Never changes. The addresses of the kit have no hash: plugins that were built for another version import them too. */
const hasHash = (path) => /[.-][\w-]{8,}\.\w+$/.test(path)

/**
 * The kept file if its name has a hash, else the newest, and the kept one where that does not come. One that is asked for with a
 * query has failed before: it comes from the network, and takes the place of what was kept.
 */
async function fromCache(request) {
  const { origin, pathname, search } = new URL(request.url)
  const cache = await caches.open(kept)
  const name = `${origin}${pathname}`
  const found = search === '' ? await cache.match(name) : undefined
  const usable = found && isAsset(found) ? found : undefined
  if (usable && hasHash(pathname)) return usable
  try {
    const response = await fetch(request)
    if (isAsset(response)) await cache.put(name, response.clone())
    return isAsset(response) ? response : (usable ?? response)
  } catch (error) {
    if (usable) return usable
    throw error
  }
}

/** Networks and proxies that want a sign-in answer with their own page, as if it were the file. */
const isAsset = (response) => response.ok && !/^text\/html\b/i.test(response.headers.get('content-type') ?? '')

/** Only this console's page names its manifest; pages of other services of the host are not kept. */
const isOwnPage = (text) => text.includes(`href="${page.replaceAll('&', '&amp;')}manifest.webmanifest"`)

/** The newest page; the kept one without a network. Assets that it no longer names are dropped. */
async function fromNetwork(request) {
  const cache = await caches.open(kept)
  try {
    const response = await fetch(request)
    if (response.ok && response.headers.get('content-type')?.startsWith('text/html')) {
      const text = await response.clone().text()
      if (isOwnPage(text)) await keepPage(cache, response.clone(), text)
    }
    return response
  } catch (error) {
    const found = await cache.match(page)
    if (found) return found
    throw error
  }
}

async function keepPage(cache, response, text) {
  const before = await cache.match(page)
  if (before && (await before.text()) !== text) await dropAssets(cache)
  await cache.put(page, response)
}

async function dropAssets(cache) {
  for (const request of await cache.keys()) if (pathOf(request.url).startsWith('assets/')) await cache.delete(request)
}

self.addEventListener('push', (event) => event.waitUntil(showMessage(event.data)))
self.addEventListener('notificationclick', (event) => event.waitUntil(openLink(event.notification)))
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

/** Browsers want something to be shown for each message, also for one that nobody can read. */
async function showMessage(data) {
  const { title, body = '', link, tag, unread } = readMessage(data)
  if (Number.isInteger(unread) && 'setAppBadge' in self.navigator) await self.navigator.setAppBadge(unread).catch(() => undefined)
  const icon = `${page}icon-192.png`
  await self.registration.showNotification(title ?? 'Agent Service', {
    body,
    icon,
    badge: icon,
    data: { link },
    ...(tag && { tag, renotify: true }),
  })
}

function readMessage(data) {
  try {
    return data?.json() ?? {}
  } catch {
    return {}
  }
}

/** A path of this console, whatever a message says; else its first page. */
function pathOfLink(link) {
  if (typeof link !== 'string' || !/^\/(?![/\\])[^\s\\]*$/.test(link)) return '/'
  const { origin, pathname } = new URL(page.slice(0, -1) + link, self.location.origin)
  return origin === self.location.origin && pathname.startsWith(page) ? link : '/'
}

/** In an open tab, which keeps what is in it, else in a new one. */
async function openLink(notification) {
  notification.close()
  const link = pathOfLink(notification.data?.link)
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const tab = tabs.find(({ url }) => new URL(url).pathname.startsWith(page))
  if (!tab) return self.clients.openWindow(page.slice(0, -1) + link)
  tab.postMessage({ open: link })
  return tab.focus()
}

/** The browser has replaced its subscription. Where the session needs a page to be renewed, the next one does this. */
async function renew({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (oldSubscription && (await self.registration.pushManager.subscribe(oldSubscription.options)))
  if (!subscription) return
  const { endpoint, keys } = subscription.toJSON()
  const [language] = self.navigator.language.split('-')
  const body = JSON.stringify({ endpoint, keys, name: 'Browser', language })
  await fetch(`${page}api/notifications/devices`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
