import type { ConfigurationDraft, ConfigurationOrigin, DiscoveredManifest, OverlappingSetting } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import type { ChangedValues } from '../explain/changed-values.js'

/**
 * A change of the configuration file, by dotted path (`models.primary.retry.max_retries`). A key with a dot or a quote stands in double quotes;
 * items of lists have no path. No path may be the beginning of another one.
 */
export interface ConfigurationPatch {
  /**
   * What the file shall say. A text may hold `${NAME}` references. A list replaces the list; an object replaces the object, of which only the
   * members that change are written. A value that is the built-in or catalogue default is not written: it acts as a reset. `null` is a value inside
   * `extra_params` alone.
   */
  readonly set?: Readonly<Record<string, JsonValue>>
  /**
   * What the file shall no longer say, so that the default holds again. The sections and objects that this leaves empty go too, entries of the maps
   * `providers`, `models` and `plugins.settings` do not. A path that the file does not have is passed over.
   */
  readonly reset?: readonly string[]
}

/** The file as it is on the disk. */
export interface SavedConfiguration {
  /** The path that the configuration is looked for at, absolute; a symbolic link as it is named. */
  readonly path: string
  readonly exists: boolean
  /** What a save must name: the SHA-256 of the file's bytes in hexadecimal. A file that is not there has the revision of an empty one. */
  readonly revision: string
  /** What the file says, references as text, **secrets too**: never for an answer or a log as it is. Empty while the file cannot be parsed. */
  readonly saved: JsonObject
  /** Why the file cannot be read or parsed, with line and column; a save is refused with them. Values are judged by {@link ConfigurationEditor.check}. */
  readonly problems: readonly Problem[]
}

/** A change that is about to be saved, as it may be noted: by dotted path, secrets as words. */
export interface AnnouncedChange extends ChangedValues {
  /** Of the file as it was, and as it is going to be. */
  readonly previous_revision: string
  readonly revision: string
}

/** How a change is saved. */
export interface SaveOptions {
  /**
   * Called when the change holds, right before the new file takes the old one's place; a throw leaves the old one.
   * Not for a save that changes nothing.
   */
  readonly announce?: ((change: AnnouncedChange) => Promise<void>) | undefined
}

/** What a save did. */
export interface SaveResult {
  /** The revision to name in the next save. */
  readonly revision: string
  /** False when the file said all of it before, and was not written. */
  readonly changed: boolean
  /** Paths of the patch that a variable overrides: what was saved there takes effect once the variable is gone. */
  readonly locked: readonly LockedPath[]
}

/** A path and the variable of the environment that sets it, or something in it. */
export interface LockedPath {
  readonly path: string
  readonly variable: string
}

/** What the next start would make of the configuration. */
export interface ConfigurationCheck {
  /** Everything that would stop the start, each with its path; empty when nothing would. */
  readonly problems: readonly Problem[]
  /** What is accepted and worth a line. */
  readonly warnings: readonly string[]
  /** Custom values that override a typed setting. */
  readonly overlaps: readonly OverlappingSetting[]
}

/**
 * Reads and changes the configuration file. A change holds for the next start; nothing in the running process changes. Several editors, also of
 * several processes, may work on one file: saves come one after the other, and one that was made against an older state is refused.
 */
export interface ConfigurationEditor {
  /** Reads the file, at each call anew. Never throws for a fault of the file's: see `problems`. @throws errors of the file system that are no fault of the file's. */
  read(): Promise<SavedConfiguration>
  /**
   * Changes the file, which keeps everything else byte for byte: comments, order, quoting, references, line endings. The new file is durable when
   * this resolves, readable for its owner alone, and the one before lies beside it as `<name>.previous`. When it rejects, or the process ends in
   * between, the file is the old one or the new one, whole.
   *
   * @param revision the one that the change was made against
   * @throws `stale_config` (412) when the file is no longer of that revision; `configuration_patch_invalid` (422) with a problem for each path, when the
   * patch, the file or the whole would not hold: nothing was written; `configuration_busy` (503) when other saves did not end in time;
   * `configuration_not_writable` (409) when the file cannot be replaced, with the reason; `storage_full` (507).
   */
  save(patch: ConfigurationPatch, revision: string, options?: SaveOptions): Promise<SaveResult>
  /** Judges the whole configuration as the next start would see it, with the patch when there is one. Writes nothing. Never throws for a fault of the operator's. */
  check(patch?: ConfigurationPatch): Promise<ConfigurationCheck>
}

/** What an editor works on. */
export interface ConfigurationEditorOptions {
  /** Where the configuration comes from, as at the start. `candidate` is of no meaning here. */
  readonly origin: Omit<ConfigurationOrigin, 'candidate'>
  /**
   * Finds the plugins of a changed configuration, as the start does. Only manifests are read; rules are left in those alone whose code may run, by what
   * is `saved`.
   */
  readonly discover: (changed: ConfigurationDraft, saved: ConfigurationDraft) => Promise<readonly DiscoveredManifest[]>
  /** For changes that do not come from the operator: new references are taken in secret fields alone, and to these variables nowhere. */
  readonly newReferences?: { readonly isReserved: (name: string) => boolean }
  /** What the running service goes by, where there is one. What its folders hold is neither run nor served after a change that moves them. */
  readonly running?: Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'>
  /** How long a save may wait for others, in milliseconds. Default 10,000. */
  readonly lockTimeoutMs?: number
}
