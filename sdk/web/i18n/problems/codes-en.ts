/**
 * What a problem of this code says in English where the service speaks to programs: of routes, headers and ids. All
 * others are shown as the service says them.
 */
export const plainProblems: Readonly<Record<string, string>> = {
  agent_not_found: 'There is no such agent, or it is switched off.',
  answer_taken_back: 'The answer was begun anew, so what came before is void.',
  approval_expired: 'This question has expired, and the call will not be made. Send a message to have it made again.',
  approval_resolved: 'This question is decided already. That decision stands.',
  approval_withdrawn: 'This question is void: the answer has ended, is being stopped, or something else was written.',
  browser_timeout: 'The browser did not answer in time. The page may be busy; close it and open it again.',
  budget_without_limit: 'A budget needs a limit in dollars, in tokens, or in both. To remove the budget, delete it.',
  confirmation_required: 'Confirm with your password that it is you, then repeat this within five minutes.',
  cross_site_request: 'This request did not come from a page of this service. Load the page again.',
  cursor_invalid: 'The list cannot be read on from here. Load it again.',
  idempotency_in_progress: 'The same request is still in progress. Try again in a moment.',
  idempotency_key_reused: 'This request was sent with another content before. Load the page again, then repeat it.',
  memory_looks_secret:
    'The text has what looks like a secret. What is remembered is read by agents and sent to their models. Leave it out, or confirm that it is meant.',
  memory_too_large: 'More is remembered than fits into a Markdown file. Export it as NDJSON.',
  memory_unsupported: 'This memory does not support that.',
  no_agent: 'You have no enabled agent. Create one, or switch one on.',
  plugin_data_unknown: 'Nothing is stored of this plugin.',
  precondition_failed: 'This was changed in the meantime. Load it again, then repeat the change.',
  rate_limited: 'Too many requests in a short time. Wait a moment, then try again.',
  revision_required: 'It is not known which settings the change is based on. Load them again.',
  route_stopping: 'The part of the service that answers this is stopping. Try again later.',
  run_in_progress: 'An answer is still being written in this chat. Wait for it to end, or stop it.',
  session_required: 'This needs a sign-in.',
  setup_code_required: 'The first account of this service is its admin. Enter the one-time code from the log of the service.',
  skill_not_fetched: 'This skill did not come from an address, so it cannot be fetched again. Install the new version in its place.',
  space_empty: 'No chat of this space has messages yet. Put a chat into it first.',
  tus_version_unsupported: 'The upload does not fit this version of the service. Load the page again.',
  upload_locked: 'Another request is adding to this upload. Wait a moment.',
  upload_offset_conflict: 'The upload is at another place by now. Continue it once more.',
  usage_range_too_large: 'These are too many days at once. Choose fewer.',
}
