import FeedClientKit
import FeedTerminal
import Foundation

/// The timelines that are stored for a login.
struct StoredTimelines {
    private let store: Result<TimelineStore, FeedClientError>

    init(_ session: (address: ServerAddress, login: CredentialStore.Login?)) {
        let owner = session.address.description + " " + (session.login?.username ?? "")
        store = Result { () throws(FeedClientError) in
            try TimelineStore(folder: GlobalOptions.folders.state, owner: owner)
        }
    }

    /// What is stored of a timeline.
    /// - Throws: ``FeedClientError`` `.notFound` if nothing has been stored, `.disk`.
    func load(_ timeline: TimelineName, _ count: Int, _ range: TimelineRange, countsRepetitions: Bool) async throws
        -> StoredTimeline
    {
        let found = try await store.get().statuses(
            of: timeline, count: count, in: range, countsRepetitions: countsRepetitions)
        guard let found else {
            throw FeedClientError(
                .notFound, "This timeline has not been stored yet", hint: "Read it once without --offline.")
        }
        return found
    }

    /// What is stored of the newest part of a timeline, without errors.
    func newest(of timeline: TimelineName, _ count: Int) async -> StoredTimeline? {
        try? await store.get().statuses(of: timeline, count: count, countsRepetitions: false)
    }

    /// Reads a timeline and stores it. It is shown even if it cannot be stored.
    func fetch(
        _ timeline: TimelineName, _ count: Int, _ range: TimelineRange, countsRepetitions: Bool, with client: FeedClient
    ) async throws -> [TimelineEntry] {
        guard let sync = sync(with: client) else {
            return try await client.statuses(
                of: timeline, count: count, in: range, countsRepetitions: countsRepetitions)
        }
        return try await sync.statuses(of: timeline, count: count, in: range, countsRepetitions: countsRepetitions)
    }

    /// Stores the only page of a timeline.
    func save(_ entries: [TimelineEntry], of timeline: TimelineName) async {
        let now = Milliseconds.now
        do { try await store.get().save(TimelineSegment(entries: entries), of: timeline, now: now) } catch {
            Self.report(error)
        }
    }

    /// Keeps what is stored up to date. Failures are not reported; the next call makes up for them.
    /// - Parameter newest: The newest id that was shown, if that counts as read.
    func update(_ global: GlobalOptions, reading position: ReadPosition? = nil, upTo newest: String? = nil) async {
        try? await global.use { client in
            guard let sync = sync(with: client, isSilent: true) else { return }
            if let position, let newest { try? await sync.markRead(position, upTo: newest) }
            try await sync.applyChanges()
        }
    }

    /// Removes everything that is stored. A failure is reported.
    func removeAll() async {
        do { try await store.get().removeAll() } catch {
            StandardError.line("warning: the stored timelines could not be removed: \(SafeText.line("\(error)"))")
        }
    }

    private func sync(with client: FeedClient, isSilent: Bool = false) -> TimelineSync? {
        do {
            return TimelineSync(try store.get(), with: client, onFailure: { Self.report($0) })
        } catch {
            if !isSilent { Self.report(error) }
            return nil
        }
    }

    private static func report(_ error: any Error) {
        StandardError.line(
            "warning: the timeline could not be stored for offline reading: \(SafeText.line("\(error)"))")
    }
}
