/** Every limit of Parley, by name and unit. Sizes are bytes or characters, times are milliseconds. */

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute
const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

// Discussion
export const roundsMin = 1
export const roundsMax = 10
export const roundsDefault = 6
export const membersMax = 8
export const attemptsPerRunMax = 128
export const stalledRoundsMax = 3
export const timedOutTurnsBeforeSkipMax = 2
export const positionMaxCharacters = 200
export const voteBlockMaxCharacters = 2_000
export const topicMaxCharacters = 200_000
export const sharedContextMaxCharacters = 60_000
export const capsuleMaxCharacters = 4_000
export const capsuleEvidenceMax = 12
export const capsuleEvidenceTitleMaxCharacters = 100
export const topicReminderMaxCharacters = 4_000
export const promptSourcesMax = 50

// Attempts
export const triesPerAttemptMax = 3
export const silenceMs = 5 * minute
export const attemptCapMs = 30 * minute
export const launchMs = 60 * second
export const settleMs = 30 * second
export const stopGraceMs = 8 * second
export const backoffFirstMs = 2 * second
export const backoffMaxMs = 60 * second
export const capLimitsMs = { min: 10 * second, max: 24 * 60 * minute }
export const silenceLimitsMs = { min: 5 * second, max: 60 * minute }

// Gates
export const gateExpiryMs = 7 * day
export const gateDeliveryMs = 30 * second
export const gateDeliveriesMax = 5
export const approvalAgeMaxMs = 7 * day
export const gateSummaryMaxCharacters = 4_000
export const gateNoteMaxCharacters = 2_000
export const gateTitleMaxCharacters = 400
export const gateReasonMaxCharacters = 1_000

// Runs
export const preflightMs = 20 * second
export const minutesRetryMs = 30 * second
export const minutesTriesMax = 5

// Lifecycle
export const openingMs = 30 * second
export const restoringMs = 30 * second
export const surveyingMs = 5 * second
export const drainMs = 15 * second
export const closingMs = 5 * second

// Processes
export const lineMaxBytes = 1 * mebibyte
export const stderrKeptBytes = 64 * kibibyte
export const outputMaxBytes = 64 * mebibyte
export const drainAfterExitMs = 2 * second
export const protocolCancelMs = 1 * second
export const stdinCloseMs = 1 * second
export const terminateMs = 3 * second
export const versionProbeMs = 8 * second
export const probeOutputMaxBytes = 64 * kibibyte
export const loginShellMs = 4 * second
export const sameRefusalRetriesMax = 3
/** How many lines that are no protocol an agent may print before it is not understood. */
export const noiseLinesMax = 200
export const permissionsOpenMax = 64
/** How long an agent that tells what a turn used only after its answer is waited for. */
export const usageAfterAnswerMs = 250
/** A session that is kept between turns is ended when nobody has spoken in it for so long. */
export const warmIdleMs = 5 * minute
/** How many sessions of agents that are kept between turns live at once, those with a turn included. */
export const warmSessionsMax = 16
/** Of how many sessions it is remembered when they were last loaded. */
export const openedSessionsMax = 256
export const unreachableNoticesMax = 4

// Clocks
export const wakeCheckMs = second
export const sleepGapMs = 5 * second
export const timerMaxMs = 2 ** 31 - 1

// Scheduler
export const slotsMin = 4
export const slotsMax = 16

// Window and store
export const commandMaxBytes = 1 * mebibyte
export const nameMaxCharacters = 120
export const draftMaxCharacters = topicMaxCharacters
export const conversationsPageMax = 60
export const runsPageMax = 20
export const eventsPageMax = 500
export const outputPageMax = 500
export const queuedMessagesMax = 50
export const textPerAttemptMaxCharacters = 400_000
export const groupCommitMs = 50
/** Transitions that nobody waits for are written together: this long after the first of them at the latest. */
export const cutGroupMs = 4
export const pushIntervalMs = 16
export const eventPayloadMaxBytes = 2 * kibibyte

// Shells
export const pushBatchMax = 100
export const logFileMaxBytes = 1 * mebibyte
export const electronFetchMs = 2 * minute
export const electronFetchAgainMs = day
export const repeatedSignalMs = 500
export const buildMainMs = 2 * minute
export const openerFailsMs = 2 * second
export const defaultWindowPixels = { width: 1_280, height: 800 }
export const smallestWindowPixels = { width: 640, height: 480 }

// Store
/** How much stored text one slice of a search may look through. */
export const searchSliceMaxCharacters = 4_000_000
export const reasoningPerAttemptMaxCharacters = 400_000
export const outputRowsPerAttemptMax = 50_000
/** How much of the turns' text one opened conversation carries. */
export const viewTextMaxCharacters = 4_000_000
export const viewTextCutCharacters = 2_000
export const liveTextPartCharacters = 8_000
/** How long a statement waits for another program that looks into the file. */
export const lockWaitMs = 250
/** For how long output and the like may be written before the disk is waited for once. */
export const unsyncedMaxMs = 1 * second
export const pageCacheKibibytes = 16_384
export const journalKeptBytes = 8 * mebibyte
/** The log is moved into the file when it has grown so far. */
export const logPagesMax = 4_000
