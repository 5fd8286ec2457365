import ArgumentParser
import FeedAPI
import FeedClientKit
import FeedTerminal
import Foundation

/// Reads a timeline.
struct TimelineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline", abstract: "Read a timeline.",
        discussion: """
            NAME is home, public or @user; the default is home if you are logged in, otherwise public. The statuses are \
            stored, and --offline shows them again.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("home, public or @user.", valueName: "name")) var name: TimelineArgument?
    @Option(help: "The largest number of statuses.") var limit = 20
    @Flag(help: "Show the stored statuses, without a network.") var offline = false
    @Flag(help: "Print one Status entity per line, as JSON.") var json = false
    @Option(help: "Show avatars: auto, none, kitty or iterm.") var images = ImageOption.auto

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
    }

    func run() async throws {
        try await Failure.reported {
            let session = try global.session()
            let timeline = try timeline(session.login)
            let stored = StoredTimeline(owner: Self.owner(session), key: timeline.key)
            let entries = try await offline ? stored.load(limit) : fetch(timeline, stored, session.login)
            try await show(entries)
        }
    }

    private func timeline(_ login: CredentialStore.Login?) throws -> TimelineName {
        let timeline = name?.value ?? (login == nil ? .everyone : .home)
        if login?.isClassic == true {
            guard timeline == .home else {
                throw FeedClientError(
                    .usage, "This server has only one timeline", hint: "Omit the name of the timeline.")
            }
        } else if timeline == .home, !offline {
            try global.login()
        }
        return timeline
    }

    /// A timeline as an account has last read it.
    private struct StoredTimeline {
        let owner: String
        let key: String

        var exists: Bool { get async { (try? await page()) != nil } }

        private func page() async throws -> (entries: [TimelineEntry], syncedAt: Int64)? {
            try await OfflineStore(folder: GlobalOptions.folders.state).page(timeline: key, owner: owner)
        }

        func load(_ limit: Int) async throws -> [TimelineEntry] {
            guard let page = try await page() else {
                throw FeedClientError(
                    .notFound, "This timeline has not been stored yet", hint: "Read it once without --offline.")
            }
            StandardError.line("as of " + ISO8601.text(milliseconds: page.syncedAt))
            return Array(page.entries.prefix(limit))
        }

        /// A failure is not fatal: a full disk must not prevent anyone from reading.
        func save(_ entries: [TimelineEntry]) async {
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            do {
                try await OfflineStore(folder: GlobalOptions.folders.state).save(
                    entries, timeline: key, owner: owner, now: now)
            } catch {
                StandardError.line(
                    "warning: the timeline could not be stored for offline reading: \(SafeText.line("\(error)"))")
            }
        }
    }

    private static func owner(_ session: (address: ServerAddress, login: CredentialStore.Login?)) -> String {
        session.address.description + " " + (session.login?.username ?? "")
    }

    private func fetch(
        _ timeline: TimelineName, _ stored: StoredTimeline, _ login: CredentialStore.Login?
    ) async throws -> [TimelineEntry] {
        do {
            let entries = try await global.use { client in
                if login?.isClassic == true { return try await Self.classic(client, limit) }
                return try await client.statuses(of: timeline, count: limit)
            }
            await stored.save(entries)
            return entries
        } catch let error as FeedClientError where error.code == .unreachable || error.code == .network {
            guard await stored.exists else { throw error }
            throw FeedClientError(
                error.code, error.message, hint: "Read the stored statuses with --offline.", cause: error.cause,
                status: error.status)
        }
    }

    private static func classic(_ client: FeedClient, _ limit: Int) async throws -> [TimelineEntry] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if limit > ClassicFeed.maximumCount {
            StandardError.line("such a server sends only the newest \(ClassicFeed.maximumCount) statuses")
        }
        return try await client.classicFeed().statuses.prefix(limit).map { status in
            TimelineEntry(status: status.entity, json: Array(try encoder.encode(status.entity)))
        }
    }

    private func show(_ entries: [TimelineEntry]) async throws {
        if json {
            for entry in entries { print(JSONText.line(entry.json)) }
            return
        }
        if entries.isEmpty { StandardError.line("no statuses yet") }
        var renderer = StatusRenderer.forScreen()
        let pictures = try await offline ? [:] : Pictures(images: images, global: global).load(entries.map(\.status))
        renderer.picture = { $0.avatar.flatMap { pictures[$0] } }
        for entry in entries {
            for line in renderer.lines(entry.status) { print(line) }
        }
    }
}

extension StatusRenderer {
    /// A renderer for the current terminal. Times are relative on a terminal, and absolute otherwise.
    static func forScreen() -> StatusRenderer {
        let screen = Screen.current()
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return StatusRenderer(
            columns: screen.columns, style: TextStyle(hasColor: screen.hasColor), now: screen.isOutput ? now : nil)
    }
}

/// The name of a timeline on the command line.
struct TimelineArgument: ExpressibleByArgument {
    let value: TimelineName

    init?(argument: String) {
        switch argument {
        case "home": value = .home
        case "public": value = .everyone
        case _ where argument.hasPrefix("@") && argument.count > 1: value = .account(String(argument.dropFirst()))
        default: return nil
        }
    }
}

extension TimelineName {
    /// The name under which the timeline is stored.
    fileprivate var key: String {
        switch self {
        case .home: "home"
        case .everyone: "public"
        case .account(let name): "@" + name.lowercased()
        }
    }
}
