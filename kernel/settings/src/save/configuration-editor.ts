import type { ConfigurationDraft, ConfigurationOrigin, DiscoveredManifest, OverlappingSetting } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import type { ChangedValues } from '../explain/changed-values.js'

/**
 * A change of the configuration file, by dotted path (`models.primary.retry.max_retries`). A key
 * with a dot or a quote is written in double quotes; items of lists have no path. No path may be
 * the beginning of another one.
 */
export interface ConfigurationPatch {
  /**
   * The values to write. A text may contain `${NAME}` references. A list replaces the list; an
   * object replaces the object, of which only the changed members are written. A value that equals
   * the built-in or catalogue default is not written: it acts as a reset. `null` is only a value
   * inside `extra_params`.
   */
  readonly set?: Readonly<Record<string, JsonValue>>
  /**
   * The values to remove, so that the defaults apply again. Sections and objects that become empty
   * are removed too, except entries of the maps `providers`, `models` and `plugins.settings`. A
   * path that is not in the file is ignored.
   */
  readonly reset?: readonly string[]
}

/** The file as it is on disk. */
export interface SavedConfiguration {
  /** The absolute path of the configuration; a symbolic link is not resolved. */
  readonly path: string
  readonly exists: boolean
  /**
   * The revision that a save must name: the SHA-256 of the file's bytes in hexadecimal. A missing
   * file has that of an empty one.
   */
  readonly revision: string
  /**
   * The values in the file, references as text, **secrets included**: never send or log it as it
   * is. Empty while the file cannot be parsed.
   */
  readonly saved: JsonObject
  /**
   * Why the file cannot be read or parsed, with line and column; a save is refused with them.
   * {@link ConfigurationEditor.check} checks values.
   */
  readonly problems: readonly Problem[]
}

/**
 * A change that is about to be saved, in a form for the audit log: by dotted path, secrets as
 * words.
 */
export interface AnnouncedChange extends ChangedValues {
  /** The revision of the file before the change; `revision` is the one after it. */
  readonly previous_revision: string
  readonly revision: string
}

/** How a change is saved. */
export interface SaveOptions {
  /**
   * Called when the change is valid, right before the new file replaces the old one; a throw keeps
   * the old one. Not called for a save that changes nothing.
   */
  readonly announce?: ((change: AnnouncedChange) => Promise<void>) | undefined
}

/** The result of a save. */
export interface SaveResult {
  /** The revision to name in the next save. */
  readonly revision: string
  /** False if the file already had all of the values, and was not written. */
  readonly changed: boolean
  /**
   * Paths of the patch that a variable overrides: the saved values take effect once the variable is
   * unset.
   */
  readonly locked: readonly LockedPath[]
}

/** A path and the variable of the environment that sets it, or a part of it. */
export interface LockedPath {
  readonly path: string
  readonly variable: string
}

/** The result of checking the configuration for the next start. */
export interface ConfigurationCheck {
  /** Everything that would prevent the start, each with its path; empty if nothing would. */
  readonly problems: readonly Problem[]
  /** Accepted values that deserve a warning. */
  readonly warnings: readonly string[]
  /** Custom values that override a typed setting. */
  readonly overlaps: readonly OverlappingSetting[]
}

/**
 * Reads and changes the configuration file. A change applies at the next start; nothing in the
 * running process changes. Several editors, also in several processes, may work on one file: saves
 * are serialized, and one that is based on an older state is refused.
 */
export interface ConfigurationEditor {
  /**
   * Reads the file, again at each call. Reports faults of the file in `problems`. @throws other
   * errors of the file system.
   */
  read(): Promise<SavedConfiguration>
  /**
   * Changes the file and keeps everything else byte for byte: comments, order, quoting, references,
   * line endings. The new file is durable when this resolves, readable only by its owner, and the
   * previous one is kept beside it as `<name>.previous`. If it rejects, or the process ends in
   * between, the file is either the complete old one or the complete new one.
   *
   * @param revision the one that the change is based on
   * @throws `stale_config` (412) if the file no longer has that revision;
   * `configuration_patch_invalid` (422) with a problem for
   * each path, if the patch, the file or the result is invalid: nothing was written;
   * `configuration_busy` (503) if other saves did not end in time; `configuration_not_writable`
   * (409) if the file cannot be replaced, with the reason; `storage_full` (507).
   */
  save(patch: ConfigurationPatch, revision: string, options?: SaveOptions): Promise<SaveResult>
  /**
   * Checks the whole configuration as the next start would, with the patch if there is one. Writes
   * nothing. Never throws for an invalid configuration.
   */
  check(patch?: ConfigurationPatch): Promise<ConfigurationCheck>
}

/** What an editor works on. */
export interface ConfigurationEditorOptions {
  /** Where the configuration comes from, as at the start. `candidate` does not apply here. */
  readonly origin: Omit<ConfigurationOrigin, 'candidate'>
  /**
   * Finds the plugins of a changed configuration, as the start does. Only manifests are read; they
   * keep their rules only if their code may run according to `saved`.
   */
  readonly discover: (changed: ConfigurationDraft, saved: ConfigurationDraft) => Promise<readonly DiscoveredManifest[]>
  /**
   * For changes that do not come from the operator: new references are accepted only in secret
   * fields, and never to these variables.
   */
  readonly newReferences?: { readonly isReserved: (name: string) => boolean }
  /**
   * The configuration of the running service, if there is one. After a change that moves its
   * folders, their contents are neither run nor served.
   */
  readonly running?: Pick<ConfigurationDraft, 'kernel' | 'serverDataDir'>
  /** How long a save may wait for others, in milliseconds. Default 10,000. */
  readonly lockTimeoutMs?: number
}
