import type { PlacedSecret } from './found-secret.js'

/** Keys and tokens by their own form, as vendors publish it. Every quantifier is bounded or runs over one class of characters. */
const forms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  // JSON Web Tokens.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  // Amazon.
  /(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g,
  // GitHub, GitLab.
  /(?<!\w)(?:gh[pousr]_\w{20,}|github_pat_\w{22,}|gl(?:pat|dt|rt|ptt|soat)-[\w-]{20,})/g,
  // Slack, Discord, Telegram.
  /(?<!\w)xox[abeprs](?:\.xox[bp])?-[\w-]{10,}|(?<!\w)xapp-\d-[\w-]{10,}/g,
  /hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/+-]{20,}/g,
  /discord(?:app)?\.com\/api\/webhooks\/\d{10,}\/[\w-]{20,}/g,
  /(?<!\d)\d{8,10}:[\w-]{35}(?![\w-])/g,
  // Stripe, Shopify, Square.
  /(?<!\w)(?:sk|rk|whsec|pk_live)_(?:live|test|prod)?_?[A-Za-z0-9]{16,}/g,
  /(?<!\w)shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|(?<!\w)(?:EAAA|sq0[a-z]{3}-)[\w-]{22,60}/g,
  // Google.
  /(?<!\w)AIza[\w-]{35}|(?<!\w)ya29\.[\w-]{20,}|(?<!\w)GOCSPX-[\w-]{20,}/g,
  // Models.
  /(?<![A-Za-z0-9])sk-[\w-]{16,}|(?<!\w)(?:hf|gsk|xai|r8)_[A-Za-z0-9]{20,}/g,
  // Registries and builds.
  /(?<!\w)(?:npm_[A-Za-z0-9]{30,}|pypi-[\w-]{40,}|dckr_pat_[\w-]{20,}|rubygems_[a-f0-9]{40,})/g,
  // Hosting, mail, work.
  /(?<!\w)(?:do[oprt]_v1_[a-f0-9]{40,}|dapi[a-f0-9]{32}|hv[bs]\.[\w-]{24,}|pul-[a-f0-9]{40}|sbp_[a-f0-9]{40}|fo1_[\w-]{40,})/g,
  /(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}|(?<!\w)key-[a-f0-9]{32}(?!\w)|(?<!\w)(?:AC|SK)[a-f0-9]{32}(?!\w)/g,
  /(?<!\w)(?:ATATT3[\w=-]{40,}|lin_api_[A-Za-z0-9]{30,}|(?:secret|ntn)_[A-Za-z0-9]{40,}|PMAK-[a-f0-9-]{40,}|figd_[\w-]{30,})/g,
  /(?<!\w)AGE-SECRET-KEY-1[A-Z0-9]{50,}/g,
  // This service's own tokens.
  /(?<!\w)svc_pat_[A-Za-z0-9]{8,}/g,
]

/** Every form begins with one of these; most texts have none. */
const trigger =
  /-----BEGIN|eyJ|A3T|AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat|gl\w{2,4}-|xox|xapp|hooks\.|webhooks|\d{8}:|[sr]k_|whsec|pk_live|shp|EAAA|sq0|AIza|ya29|GOCSPX|sk-|hf_|gsk_|xai_|r8_|npm_|pypi-|dckr_|rubygems_|_v1_|dapi|hv[bs]\.|pul-|sbp_|fo1_|SG\.|key-|AC|SK|ATATT3|lin_api|secret_|ntn_|PMAK|figd_|AGE-|svc_pat_/

/** Keys and tokens that can be told by their form alone. */
export function findKeys(text: string): readonly PlacedSecret[] {
  if (!trigger.test(text)) return []
  return forms.flatMap((form) => [...text.matchAll(form)].map(({ 0: value, index }) => ({ kind: 'key', value, index }) as const))
}
