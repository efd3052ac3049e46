/**
 * What every screen is made of: the client of the API and the stream of events, the state of the page (address, person,
 * language), what a screen adds around itself, components, and formats of numbers, money and times.
 *
 * A screen does not contain it: the console serves one copy to all screens, so signals, session and event stream are shared.
 * It runs in the page of the console, after sign-in; nothing of it works in Node.
 *
 * @packageDocumentation
 */

export { addressOf, send } from './api/client.js'
export { type Api, createApi } from './api/create-api.js'
export { type AnyEvent, createEvents, type EventOf, type OnEvent } from './api/create-events.js'
export { readEvents } from './api/event-stream.js'
export { onEveryReturn, onReturn } from './api/on-return.js'
export type { AnswerOf, Method, PathOf, RequestOf } from './api/operations.js'
export { ApiProblem, fieldMessage, isProblem } from './api/problem.js'
export { type NamedAgent, readAgents } from './api/read-agents.js'
export { pageQuery, readAll } from './api/read-all.js'
export { whileVisible } from './api/while-visible.js'
export { abilities, readAbilities } from './app/abilities.js'
export { applyConfiguration } from './app/applying.js'
export { addComposerCommands, type ComposerCommand, type ComposerCommandSource, composerCommandSources } from './app/composer-commands.js'
export { confirmIdentity, whenConfirmed } from './app/confirmation.js'
export {
  type Activity,
  addPaletteSource,
  addScreenCount,
  addSidebarSection,
  type PaletteHit,
  type PaletteSource,
  type ScreenCount,
  type SidebarSection,
  usePageActions,
  usePageTitle,
} from './app/contributions.js'
export { fileAddress, folderAddress } from './app/file-addresses.js'
export { hasScreen } from './app/has-screen.js'
export { addItemActions, type ItemAction, type ItemActionSource, type ItemTarget, itemActions } from './app/item-actions.js'
export { addMessageAction, type MessageAction, messageActions } from './app/message-actions.js'
export { beginChat, chooseNextTemporary, isNextTemporary, onBeginChat } from './app/new-chat.js'
export { prepareScreen } from './app/prepare-screen.js'
export { keepPage } from './app/reload-once.js'
export { currentPath, currentQuery, guardLeaving, navigate } from './app/router.js'
export { type Route, type RouteParameters, Routes, route } from './app/routes.js'
export type { ScreenProps } from './app/screen-props.js'
export { currentProfile, isAdmin, signInOptions } from './app/session.js'
export { defineSetUpStep, type KnownSetUp, type ReadStep, type SetUpStep, type SetUpStepProps, type StepState } from './app/set-up-step.js'
export { type Command, useCommands } from './app/shortcuts.js'
export { theme } from './app/theme.js'
export { defineUserTab, type UserTab, type UserTabProps } from './app/user-tab.js'
export { placed } from './core/base.js'
export { copyText } from './core/copy-text.js'
export { csvText, saveBlob, saveText } from './core/csv.js'
export { isTyping } from './core/is-typing.js'
export { type DiffLine, lineDiff, patchLines } from './core/line-diff.js'
export { loadPart } from './core/load-part.js'
export { withLock } from './core/locks.js'
export { newId } from './core/new-id.js'
export { canHavePush, currentSubscription, onOpenedLink, pushManager } from './core/service-worker.js'
export { canReadAloud, type Recognition, recognitionOf } from './core/speech.js'
export { recall, remember } from './core/storage.js'
export { visibleJson, visibleLines } from './core/visible-json.js'
export { visibleLine } from './core/visible-line.js'
export { type Action, type ActionOptions, createAction } from './forms/create-action.js'
export { bytesText, compactText, durationText, minuteText, momentText, numberText, timeText, whenText } from './i18n/formats.js'
export { type GermanReasons, germanOf } from './i18n/german-of.js'
export { language, locale } from './i18n/language.js'
export type { MessageValues } from './i18n/message-format.js'
export { defineMessages, type Text, type Translate, textOf } from './i18n/messages.js'
export { moneyText } from './i18n/money.js'
export { createReasonText, type ReasonText } from './i18n/reason-text.js'
export { dayTimeText, differsInZone, untilText, zoneName } from './i18n/times.js'
export { dayNumber, deviceZone, fieldOfMoment, momentOfField, startOfDay, zone } from './i18n/zone.js'
export { type Changes, createQueries, type Queries } from './query/create-queries.js'
export type { PagedQueryOptions, QueryOptions, ValueSource } from './query/create-query.js'
export type { QueryKey } from './query/key.js'
export type { Page as QueryPage, PagedQuery, PageSource } from './query/reading-pages.js'
export type { Query } from './query/reading-value.js'
export { createRested } from './query/rested.js'
export type { SharedQuery, SharedQueryOptions } from './query/shared-query.js'
export { chosenRate, dictationLanguage, isDictationExplained, rememberDictationExplained, voiceFor } from './speech/choices.js'
export { agentName } from './ui/agent-name.js'
export { Badge, StateBadge, StateMark } from './ui/badge.js'
export { Button, ButtonLink, IconButton } from './ui/button.js'
export { CallWords } from './ui/call-words.js'
export { CopyButton } from './ui/copy-button.js'
export { confirmAction, Dialog, openDialog, Sheet } from './ui/dialog.js'
export { Checkbox, type Choice, Field, PasswordField, SelectField, TextArea, TextField, Toggle } from './ui/field.js'
export { Icon } from './ui/icon.js'
export type { IconName } from './ui/icons.js'
export { KeyedRows } from './ui/keyed-rows.js'
export { addEntryKeys } from './ui/list-keys.js'
export { LogTail } from './ui/log-tail.js'
export { Mark, type MarkName } from './ui/mark.js'
export { MenuButton, type MenuItem, placeBeside } from './ui/menu.js'
export { groupTitle, isKnownGroup, modelChoices, modelNamed, modelTitle, type NamedModel, namedModels } from './ui/model-names.js'
export { announce, BannerBar, showToast } from './ui/notices.js'
export { Page } from './ui/page.js'
export { PagedRows } from './ui/paged-rows.js'
export { lazyPart } from './ui/part.js'
export { EmptyState, ErrorWords, errorText, Failure, Skeleton } from './ui/states.js'
export { Segments, Tabs } from './ui/tabs.js'
export { t as commonText } from './ui/texts.js'
export { type CallStage, callPieces, callText, type NamedTool, toolIcon, toolTitle } from './ui/tool-words.js'
