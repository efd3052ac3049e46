import { placed } from './base.js'

interface TrustedPolicy {
  createHTML(text: string): string
  createScriptURL(text: string): string
}

/** Trusted Types, where the browser has them (W3C Trusted Types). */
const factory = (
  globalThis as {
    readonly trustedTypes?: { createPolicy(name: string, rules: TrustedPolicy): TrustedPolicy }
  }
).trustedTypes

const keep: TrustedPolicy = { createHTML: (text) => text, createScriptURL: (text) => text }

/** Not exported: text from outside the build never becomes markup through this policy. */
const policy = factory?.createPolicy('console', keep) ?? keep

/** Only for literals of the build. */
export const trustedMarkup = (literal: string): string => policy.createHTML(literal)

const scripts = { serviceWorker: '/service-worker.js' } as const

/** The address of a script of this app. */
export const scriptAddress = (name: keyof typeof scripts): string => policy.createScriptURL(placed(scripts[name]))
