/**
 * Fileserver records are what the publisher of files is asked and answers: publish now, how things stand, what differs.
 * Every master hears the question and only the holder of the publisher lease answers, so no answer means that nobody
 * publishes.
 */
import { type RecordCodec, record } from '../msgpack/codec.ts';
import { listOf } from '../msgpack/container-types.ts';
import { boolean, integer, masterId, name, optionalTime, text } from '../msgpack/field-types.ts';
import type { UnixNanos } from '../msgpack/time.ts';
import type { MasterId } from '../names/ids.ts';

export interface FilesUpdateRequest {
  readonly force: boolean;
}

export const filesUpdateRequestCodec: RecordCodec<FilesUpdateRequest> = record<FilesUpdateRequest>(
  'FilesUpdateRequest',
  'Publish the files now.',
  {
    force: {
      key: 'force',
      type: boolean,
      omitEmpty: true,
      doc: 'Write everything again, and take the tree of this master even where it cannot tell that it is the newer one.',
    },
  },
);

/** How one set stands on the publisher. */
export interface FilesSetReport {
  readonly set: string;
  /** Where its source is on the publisher; empty when it has none. */
  readonly directory: string;
  readonly revision: number;
  readonly files: number;
  readonly changed: number;
  /** `unchanged`, `published`, or what stands in the way: one of the words of core/files. */
  readonly state: string;
  /** For people: why, and what next. May have several lines. */
  readonly note: string;
  readonly publishedAt: UnixNanos | undefined;
}

export const filesSetReportCodec: RecordCodec<FilesSetReport> = record<FilesSetReport>(
  'FilesSetReport',
  'How one file set stands on the publisher.',
  {
    set: { key: 'name', type: name, doc: '`settings`, `states` or `reactor`.' },
    directory: { key: 'directory', type: text, omitEmpty: true, doc: 'Additive. Its source directory.' },
    revision: { key: 'revision', type: integer, omitEmpty: true, doc: 'Additive. The published revision.' },
    files: { key: 'files', type: integer, doc: 'Files of the set.' },
    changed: { key: 'changed', type: integer, doc: 'Files that were written or removed.' },
    state: { key: 'state', type: name, omitEmpty: true, doc: 'Additive. How it stands, in one word.' },
    note: { key: 'note', type: text, omitEmpty: true, doc: 'Why nothing, or not everything, was published.' },
    publishedAt: {
      key: 'published_at',
      type: optionalTime,
      omitEmpty: true,
      doc: 'Additive. When the revision was written.',
    },
  },
);

export interface FilesReply {
  readonly master: MasterId;
  readonly host: string;
  /** Since when this master publishes. */
  readonly since: UnixNanos | undefined;
  readonly sets: readonly FilesSetReport[];
  readonly error: string;
  readonly code: string;
}

const SETS_MAX = 16;

export const filesReplyCodec: RecordCodec<FilesReply> = record<FilesReply>(
  'FilesReply',
  'The publisher answers: who it is and how each set stands.',
  {
    master: { key: 'master', type: masterId, doc: 'Who publishes.' },
    host: { key: 'hostname', type: name, omitEmpty: true, doc: 'Where.' },
    since: { key: 'since', type: optionalTime, omitEmpty: true, doc: 'Additive. Since when.' },
    sets: {
      key: 'sets',
      type: listOf(filesSetReportCodec.type, SETS_MAX),
      doc: 'Each set, sorted as published.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it could not be done.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'The code of that error, as in reference/errors.md.',
    },
  },
);

export interface FilesDiffRequest {
  /** Empty: every set. */
  readonly set: string;
}

export const filesDiffRequestCodec: RecordCodec<FilesDiffRequest> = record<FilesDiffRequest>(
  'FilesDiffRequest',
  'Additive. What differs between the directories of the publisher and what is published?',
  { set: { key: 'set', type: name, omitEmpty: true, doc: 'Only this one.' } },
);

/** From what is published to what somebody has: a directory of the publisher, or the mirror of a peel. */
export interface FilesDifference {
  readonly set: string;
  readonly directory: string;
  /** The published one; 0 when nothing is. */
  readonly revision: number;
  /** Of a mirror: the revision that it has. */
  readonly mirrored: number;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  /** Names that are not told, because there are too many. */
  readonly omitted: number;
  /** Why it could not be told, or what else there is to know. */
  readonly note: string;
}

/** Names in one difference; whoever makes it leaves out the rest and counts it. */
export const DIFFERENCE_NAMES_MAX = 500;

const names = listOf(text, DIFFERENCE_NAMES_MAX);

export const filesDifferenceCodec: RecordCodec<FilesDifference> = record<FilesDifference>(
  'FilesDifference',
  'Additive. What somebody has of a file set, against what is published.',
  {
    set: { key: 'name', type: name, doc: '`settings`, `states` or `reactor`.' },
    directory: {
      key: 'directory',
      type: text,
      omitEmpty: true,
      doc: 'Where it is; empty when it is nowhere.',
    },
    revision: { key: 'revision', type: integer, omitEmpty: true, doc: 'The published one.' },
    mirrored: { key: 'mirrored', type: integer, omitEmpty: true, doc: 'Of a mirror: the one that it has.' },
    added: { key: 'added', type: names, omitEmpty: true, doc: 'There and not published, sorted.' },
    changed: { key: 'changed', type: names, omitEmpty: true, doc: 'There with another content, sorted.' },
    removed: { key: 'removed', type: names, omitEmpty: true, doc: 'Published and not there, sorted.' },
    omitted: { key: 'omitted', type: integer, omitEmpty: true, doc: 'Further names, which are not told.' },
    note: { key: 'note', type: text, omitEmpty: true, doc: 'Why it could not be told.' },
  },
);

export interface FilesDiffReply {
  readonly master: MasterId;
  readonly host: string;
  readonly sets: readonly FilesDifference[];
  readonly error: string;
  readonly code: string;
}

export const filesDiffReplyCodec: RecordCodec<FilesDiffReply> = record<FilesDiffReply>(
  'FilesDiffReply',
  'Additive. The publisher answers what differs.',
  {
    master: { key: 'master', type: masterId, doc: 'Who publishes.' },
    host: { key: 'hostname', type: name, omitEmpty: true, doc: 'Where.' },
    sets: {
      key: 'sets',
      type: listOf(filesDifferenceCodec.type, SETS_MAX),
      doc: 'Each set that was asked for.',
    },
    error: { key: 'error', type: text, omitEmpty: true, doc: 'Why it could not be told.' },
    code: {
      key: 'code',
      type: name,
      omitEmpty: true,
      doc: 'The code of that error, as in reference/errors.md.',
    },
  },
);
