import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { diagnoseFiles } from '../adapters/sqlite/backup.js'
import { MAX_AGES } from '../ask/jobs/job-events.js'
import { findLostRemovals } from '../engine/erasure/missing-removals.js'
import type { KnownRemoval } from '../engine/generations/kept-removals.js'
import { makeFolder } from '../lib/folders.js'
import { errorMessage, plural } from '../lib/message-text.js'
import type { ProjectionStatus, StatusSample } from '../observe/engine-status.js'
import { integrityCountsText, integrityFindings } from '../observe/integrity-findings.js'
import { PROJECTION_STATES, remedyOf } from '../observe/projection-state.js'
import { type Finding, failed, passed } from '../ports/diagnostics.js'
import type { DocumentStore } from '../ports/document-store.js'
import type { IntegrityReport } from '../ports/integrity-report.js'
import { type Config, ConfigError } from './config.js'
import { ownDataFolder } from './data-folder.js'
import { requireAccepted } from './models/accepted-models.js'
import { ModelsError } from './models/define-models.js'
import { editedDeclarations } from './models/edited-declarations.js'
import type { ModelSet } from './models/model-set.js'
import { withStatusSamples } from './process-stores.js'
import { natsOptions, openEventStore } from './stores.js'

/** Lost removals; "rebuild all --accept-log" prints them all. */
const MAX_NAMED = 10

/** All findings about this installation, healthy ones too. */
export async function checkInstallation(config: Config, models: ModelSet): Promise<Finding[]> {
  const here = [checkNodeVersion(), await checkDataFolder(config)]
  if (here.some(({ healthy }) => !healthy)) return here
  const { NATS_URL, EVENTSTORE_URL, MONGODB_URL, DATA_DIR } = config
  const embedded = { log: NATS_URL === undefined, asks: EVENTSTORE_URL === undefined, models: MONGODB_URL === undefined }
  const findings = [...here, ...diagnoseFiles(DATA_DIR, embedded), ...(await diagnoseServers(config))]
  // A damaged file says nothing reliable about its content.
  if (findings.some(({ check, healthy }) => !healthy && check.startsWith('file '))) return findings
  try {
    return [...findings, ...(await checkStores(config, models))]
  } catch (error) {
    // The cause is among the findings already.
    if (findings.some(({ healthy }) => !healthy)) return findings
    const remedy = 'restore the damaged file; damaged models may also be deleted if the log is the one they were built from'
    return [...findings, failed('stores', `cannot be read (${errorMessage(error)})`, remedy)]
  }
}

function checkNodeVersion(): Finding {
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const isSupported = major > 20 || (major === 20 && minor >= 19)
  return isSupported ? passed('node', node) : failed('node', node, 'install Node 20.19 or newer')
}

async function checkDataFolder({ DATA_DIR }: Config): Promise<Finding> {
  const check = 'data folder'
  try {
    makeFolder(ownDataFolder({ DATA_DIR }))
    await access(DATA_DIR, constants.R_OK | constants.W_OK)
    return passed(check, DATA_DIR)
  } catch (error) {
    if (error instanceof ConfigError) return failed(check, error.message, 'run it as that user')
    const finding = `${DATA_DIR} cannot be written (${error instanceof Error && 'code' in error ? error.code : error})`
    return failed(check, finding, 'choose another with DATA_DIR, or give this user write access')
  }
}

/** Checks every configured server. */
async function diagnoseServers(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  const nats = natsOptions(config)
  if (nats !== null) {
    const { diagnoseNats } = await import('../adapters/nats/diagnostics.js')
    const { NATS_STREAM: stream, NATS_CREATE: create, NATS_REPLICAS: replicas, EVENTSTORE_URL } = config
    const categories = EVENTSTORE_URL === 'nats' ? Object.keys(MAX_AGES) : []
    findings.push(...(await diagnoseNats({ ...nats, stream, create, replicas, categories })))
  }
  if (config.MONGODB_URL !== undefined) {
    const { diagnoseMongo } = await import('../adapters/mongo/diagnostics.js')
    findings.push(...(await diagnoseMongo(config.MONGODB_URL)))
  }
  if (config.EVENTSTORE_URL !== undefined) findings.push(await checkEventStore(config))
  if (config.REDIS_URL !== undefined) {
    const { diagnoseRedis } = await import('../rate-limit/redis-rate-windows.js')
    findings.push(await diagnoseRedis(config.REDIS_URL))
  }
  return findings
}

async function checkEventStore(config: Config): Promise<Finding> {
  const check = 'event store'
  // Looks, and changes no replicas.
  const store = await openEventStore({ ...config, NATS_CREATE: false })
  try {
    // Any stream will do, even one that does not exist.
    await store.read('askjob-doctor')
    return passed(check, config.EVENTSTORE_URL === 'nats' ? 'answers, in NATS' : 'answers')
  } catch (error) {
    return failed(
      check,
      `${errorMessage(error)}: ask jobs are answered with 503`,
      'start it, or correct EVENTSTORE_URL and its credentials',
    )
  } finally {
    await store.close()
  }
}

const checkStores = (config: Config, models: ModelSet): Promise<Finding[]> =>
  withStatusSamples(config, models, async (take, documents, log) => {
    const sample = await take()
    return [
      checkLog(sample),
      ...(await checkOwnModels(documents, models)),
      ...sample.projections.flatMap(checkModel),
      ...(sample.projections.some(({ reason }) => reason === 'foreign')
        ? checkRemovals(await findLostRemovals(await log.get(), documents, models.projections))
        : []),
      ...checkSequences(sample.integrity),
    ]
  })

function checkLog({ log, logError }: StatusSample): Finding {
  if (log === null) return failed('log', `does not answer (${errorMessage(logError)})`, 'start its server, or correct NATS_URL')
  return passed('log', log.last === 0 ? 'empty' : `positions ${log.first} to ${log.last}`)
}

/** Of custom models; nothing without any. */
async function checkOwnModels(documents: DocumentStore, models: ModelSet): Promise<Finding[]> {
  const check = 'custom models'
  try {
    await requireAccepted(documents, models)
    const names = models.own.map(({ namespace }) => namespace)
    const edited = await editedDeclarations(documents, models)
    if (edited.length > 0) return edited.map((finding) => failed(check, finding, 'raise its version, or run "vitrine rebuild" for it'))
    return names.length === 0 ? [] : [passed(check, names.join(', '))]
  } catch (error) {
    if (!(error instanceof ModelsError)) throw error
    return [failed(check, error.message, 'configure MODELS as elsewhere, or run "vitrine models accept"')]
  }
}

function checkModel({ projection, state, reason, lastError, generation, position, lag, parked, requests }: ProjectionStatus): Finding[] {
  const check = `model ${projection}`
  const where = generation === null ? 'not there yet' : `generation ${generation}, position ${position}, ${lag ?? 'unknown'} behind`
  const why = lastError === null ? '' : ` (${reason}: ${lastError})`
  const found = `${state}: ${where}${why}`
  const remedy = remedyOf(projection, state, requests)
  // Without events to project, no process has to lead.
  const isHealthy = remedy === null || (state === 'leaderless' && lag === 0)
  const findings = [isHealthy ? passed(check, found) : failed(check, `${found}; it is ${PROJECTION_STATES[state].meaning}`, remedy)]
  if (parked === 0) return findings
  const finding = `${plural(parked, 'aggregate has', 'aggregates have')} an event that cannot be folded`
  const remedyOfParked = `"vitrine dead-letters list ${projection}" says why: replay them once the code is fixed, or discard the event`
  return [...findings, failed(check, finding, remedyOfParked)]
}

/** Deleting the models, or building them from this log as it is, makes public what was removed. */
function checkRemovals(lost: readonly KnownRemoval[]): Finding[] {
  const check = 'removals'
  if (lost.length === 0) return [passed(check, 'the log has all that the models know')]
  const named = lost.slice(0, MAX_NAMED).map(({ aggregate }) => aggregate)
  const names = `${named.join(', ')}${lost.length > MAX_NAMED ? ', …' : ''}`
  const remedy = 'keep the models; have these removals published again, or run "vitrine rebuild all --accept-log --publish-removals"'
  return [failed(check, `the models know ${plural(lost.length, 'removal')} that this log lacks: ${names}`, remedy)]
}

function checkSequences(report: IntegrityReport | null): Finding[] {
  const check = 'upstream sequences'
  if (report === null) return [passed(check, 'nothing read yet')]
  const counts = integrityCountsText(report)
  const faults = integrityFindings(report).flatMap(({ kind, where, remedy }) =>
    remedy === null ? [] : [failed(`${check}, ${kind}`, [counts, ...where].join('; '), remedy)],
  )
  return faults.length === 0 ? [passed(check, counts)] : faults
}
