import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation
import Synchronization

/// Reads a timeline from the server or the disk, and shows it, the newest status first.
///
/// On a terminal, the server has two seconds (``ServerWait``). After that, or without a network, what ``OfflineStore``
/// holds is shown instead, so that nothing new ever appears below something old; what arrives later is stored for the next
/// time. A line separates what is new from what a terminal has shown before. Each page is printed before the next one is
/// read. Finally, the change feed brings edits and deletions to all stored timelines.
struct TimelineLoader {
    let timeline: TimelineName
    /// The maximum number of statuses.
    let limit: Int
    let range: TimelineRange
    let isJSON: Bool
    let images: PictureOption
    let global: GlobalOptions
    let server: ServerAddress
    let login: CredentialStore.Login?
    let stored: OfflineTimelines

    private var hasRange: Bool { range != TimelineRange() }
    /// Whether statuses are shown to somebody who may let the pager wait.
    private var isScreen: Bool { !isJSON && TerminalCapabilities.current().isOutput }

    /// - Parameter mark: The newest status that had been shown before.
    private func output(after mark: StatusKey? = nil) -> TimelinePrinter {
        TimelinePrinter(timeline: timeline, isJSON: isJSON, images: images, global: global, readMark: mark)
    }

    // MARK: Stored statuses

    /// Shows what is stored, without a network.
    func showStored() async throws {
        let isNewest = isScreen && !hasRange
        let mark = isNewest ? await stored.readMark(of: timeline) : nil
        guard let newest = try await showStored(after: mark) else { return reportEmpty() }
        if isNewest { await stored.markSeen(timeline, upTo: newest) }
    }

    /// - Parameters:
    ///   - mark: The newest status that had been shown before.
    ///   - reason: Why stored statuses are shown, if the user did not ask for them.
    /// - Returns: The id of the newest status.
    private func showStored(after mark: StatusKey?, because reason: String = "") async throws -> String? {
        let output = output(after: mark)
        output.onlyCached = true
        let parts = try stored.parts(of: timeline, limit, range, countsRepetitions: isJSON)
        var (isStored, newest, upper) = (false, String?.none, range.before)
        try await output.use {
            for try await part in parts {
                if !isStored { reportTime(of: part, reason) }
                if part.startsWithGap, let upper { output.showGap(below: upper) }
                (isStored, newest) = (true, newest ?? part.entries.first?.entry.status.id)
                upper = part.entries.last?.entry.status.id ?? upper
                guard try await output.show(part.entries) else { break }
            }
        }
        guard isStored else {
            throw FeedClientError(
                .notFound, "This timeline has not been stored yet", hint: "Read it once without --offline.")
        }
        return newest
    }

    private func reportTime(of found: StoredTimeline, _ reason: String) {
        if found.hasNewest { return StandardError.line("as of " + LocalTime.full(found.syncedAt) + reason) }
        guard range.before == nil else { return }
        StandardError.line("the newest statuses were not loaded; run " + SafeText.line(timeline.command))
    }

    private func reportEmpty() { StandardError.line(hasRange ? "no statuses in this range" : "no statuses yet") }

    // MARK: Statuses of the server

    /// Shows the timeline as it is at the server.
    func show() async throws {
        let newest = isScreen && !hasRange ? try await showInTime() : try await showFetched(on: output())
        guard let login, !login.isClassic else { return }
        let isRead = timeline == .home && range.before == nil && !isJSON
        await stored.update(
            global, reading: isRead ? .home : nil, upTo: newest, appliesChanges: !isScreen || hasRange)
    }

    /// Shows each page as it arrives, unless it is too late for that.
    /// - Returns: The id of the newest status.
    private func showFetched(on output: TimelinePrinter, _ wait: ServerWait? = nil) async throws -> String? {
        var newest: String?
        do {
            try await output.use {
                try await fetch { page in
                    newest = newest ?? page.first?.status.id
                    guard wait?.answered() != false else { return false }
                    return try await output.show(page.map { StoredTimeline.Entry($0) })
                }
            }
        } catch let error as FeedClientError where wait == nil || newest != nil || !error.isTemporary {
            throw await explained(error)
        }
        if wait?.answered() != false, newest == nil, !isJSON { reportEmpty() }
        return newest
    }

    /// Shows what the server sends if it is in time, and otherwise what is stored.
    /// - Returns: The id of the newest status that was shown.
    private func showInTime() async throws -> String? {
        let (wait, isStored) = (ServerWait(), await stored.contains(timeline))
        let mark = await stored.readMark(of: timeline)
        let newest = try await withThrowingTaskGroup(of: String?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await showFetched(on: output(after: mark), wait) }
            group.addTask {
                try await wait.run(
                    announcing: "asking \(server.authority)…", limit: isStored ? ServerWait.limit : nil)
                return nil
            }
            do {
                let newest = try await group.next() ?? nil
                guard wait.isGivenUp else { return newest }
            } catch let error as FeedClientError where isStored && error.isTemporary && wait.giveUp() {
                _ = try await showStored(after: mark)
                throw error
            } catch {
                wait.giveUp()
                throw error
            }
            let shown = try await showStored(after: mark, because: ", because \(server.authority) has not answered yet")
            try await awaitLateStatuses(&group, after: shown)
            return shown
        }
        if let newest { await stored.markSeen(timeline, upTo: newest) }
        return newest
    }

    /// Waits until late statuses are stored, and says if there are new ones.
    private func awaitLateStatuses(_ group: inout ThrowingTaskGroup<String?, any Error>, after shown: String?)
        async throws
    {
        group.addTask {
            try await Task.sleep(for: ServerWait.patience)
            throw FeedClientError(.network, "\(server.authority) does not answer", hint: "Try again later.")
        }
        guard let newest = try await group.next() ?? nil, newest != shown else { return }
        StandardError.line("new statuses have arrived; run " + SafeText.line(timeline.command))
    }

    private func fetch(_ onPage: (_ page: [TimelineEntry]) async throws -> Bool) async throws {
        try await global.use { client in
            guard login?.isClassic == true else {
                return try await stored.fetch(
                    timeline, limit, range, countsRepetitions: isJSON, storesEachPage: isScreen, with: client,
                    onPage: onPage)
            }
            _ = try await onPage(try await classic(client))
        }
    }

    private func classic(_ client: FeedClient) async throws -> [TimelineEntry] {
        if limit > ClassicFeed.maximumCount {
            StandardError.line("this server sends only the newest \(ClassicFeed.maximumCount) statuses")
        }
        let entries = try await client.classicFeed().statuses.map { status in
            TimelineEntry(status: status.entity, json: try EntityJSON.bytes(status.entity))
        }
        await stored.save(entries, of: timeline)
        return Array(entries.prefix(limit))
    }

    // MARK: Errors

    /// Adds a hint about what else can be read.
    private func explained(_ error: FeedClientError) async -> FeedClientError {
        var hint = error.hint
        switch (error.code, timeline) {
        case (.unreachable, _), (.network, _):
            if await stored.contains(timeline) { hint = "Read the stored statuses with --offline." }
        case (.notFound, .account(let name)):
            hint = "Check the name; a hashtag is tag:\(name), and a list is list:\(name)."
        default: break
        }
        return FeedClientError(error.code, error.message, hint: hint, cause: error.cause, status: error.status)
    }
}

/// The wait for the first statuses of a server, which a terminal announces when it takes a moment. Either the server is
/// in time, or the wait ends and something else is shown instead; never both.
final class ServerWait: Sendable {
    /// The time after which the wait is announced.
    static let announcement = Duration.milliseconds(300)
    /// The time after which stored statuses are shown instead.
    static let limit = Duration.seconds(Timeout.seconds(2))
    /// The time that the client still waits for late statuses, to store them for the next time.
    static let patience = Duration.seconds(3)

    private enum State { case waiting, inTime, givenUp }

    private let state = Mutex(State.waiting)

    /// Whether something else is shown.
    var isGivenUp: Bool { state.withLock { $0 == .givenUp } }

    /// The server has answered, so the announcement disappears.
    /// - Returns: Whether it is in time.
    func answered() -> Bool { end(.inTime) }

    /// Ends the wait unless the server has answered.
    /// - Returns: Whether something else is to be shown.
    @discardableResult func giveUp() -> Bool { end(.givenUp) }

    /// Announces the wait, and ends it at its limit.
    /// - Parameters:
    ///   - text: The announcement.
    ///   - limit: `nil` if there is nothing else to show; then, only the cancellation of the task ends the wait.
    /// - Throws: `CancellationError`; also after the server has answered, but not before the task is cancelled.
    func run(announcing text: String, limit: Duration?) async throws {
        try await Task.sleep(for: Self.announcement)
        state.withLock { if $0 == .waiting { StandardError.announce(text) } }
        if let limit {
            try await Task.sleep(for: limit - Self.announcement)
            if giveUp() { return }
        }
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    private func end(_ result: State) -> Bool {
        state.withLock { state in
            if state == .waiting {
                StandardError.withdraw()
                state = result
            }
            return state == result
        }
    }
}
