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
            NAME is home, public or @user; without one it is home for those who are logged in, public for others. What was \
            read last is kept, and shown again by --offline.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("home, public or @user.", valueName: "name")) var name: TimelineArgument?
    @Option(help: "How many statuses.") var limit = 20
    @Flag(help: "Show what was read last, without a network.") var offline = false
    @Flag(help: "One JSON object per line: the server's Status entities.") var json = false
    @Option(help: "Pictures beside the names: auto, none, kitty or iterm.") var images = ImageOption.auto

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be 1 to 10000.") }
    }

    func run() async throws {
        try await Failure.reported {
            let session = try global.session()
            let timeline = try timeline(session.login)
            let view = View(owner: Self.owner(session), key: timeline.key)
            let entries = try await offline ? view.stored(limit) : fetch(timeline, view, session.login)
            try await show(entries)
        }
    }

    private func timeline(_ login: CredentialStore.Login?) throws -> TimelineName {
        let timeline = name?.value ?? (login == nil ? .everyone : .home)
        if login?.isClassic == true {
            guard timeline == .home else {
                throw FeedClientError(.usage, "This server has one timeline only", hint: "Leave out its name.")
            }
        } else if timeline == .home, !offline {
            try global.login()
        }
        return timeline
    }

    /// Whose view is kept under which name.
    private struct View {
        let owner: String
        let key: String

        var isKept: Bool { get async { (try? await page()) != nil } }

        private func page() async throws -> (entries: [TimelineEntry], syncedAt: Int64)? {
            try await OfflineStore(folder: GlobalOptions.places.state).page(timeline: key, owner: owner)
        }

        func stored(_ limit: Int) async throws -> [TimelineEntry] {
            guard let page = try await page() else {
                throw FeedClientError(
                    .notFound, "This timeline was never read here", hint: "Read it once without --offline.")
            }
            StandardError.line("as of " + ISO8601.text(milliseconds: page.syncedAt))
            return Array(page.entries.prefix(limit))
        }

        /// Keeping is a service, not a duty: a full disk must not hide what came.
        func keep(_ entries: [TimelineEntry]) async {
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            do {
                try await OfflineStore(folder: GlobalOptions.places.state).save(
                    entries, timeline: key, owner: owner, now: now)
            } catch {
                StandardError.line("warning: not kept for offline reading: \(SafeText.line("\(error)"))")
            }
        }
    }

    private static func owner(_ session: (address: ServerAddress, login: CredentialStore.Login?)) -> String {
        session.address.description + " " + (session.login?.username ?? "")
    }

    private func fetch(
        _ timeline: TimelineName, _ view: View, _ login: CredentialStore.Login?
    ) async throws -> [TimelineEntry] {
        do {
            let entries = try await global.use { client in
                if login?.isClassic == true { return try await Self.classic(client, limit) }
                return try await client.statuses(of: timeline, count: limit)
            }
            await view.keep(entries)
            return entries
        } catch let error as FeedClientError where error.code == .unreachable || error.code == .network {
            guard await view.isKept else { throw error }
            throw FeedClientError(
                error.code, error.message, hint: "--offline shows what was read last.", cause: error.cause,
                status: error.status)
        }
    }

    private static func classic(_ client: FeedClient, _ limit: Int) async throws -> [TimelineEntry] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if limit > ClassicFeed.longest {
            StandardError.line("a server of this kind gives the newest \(ClassicFeed.longest) only")
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
        if entries.isEmpty { StandardError.line("nothing here yet") }
        var renderer = StatusRenderer.forScreen()
        let pictures = try await offline ? [:] : Pictures(images: images, global: global).load(entries.map(\.status))
        renderer.picture = { $0.avatar.flatMap { pictures[$0] } }
        for entry in entries {
            for line in renderer.lines(entry.status) { print(line) }
        }
    }
}

extension StatusRenderer {
    /// For the terminal this runs in: relative times there, absolute ones in a pipe.
    static func forScreen() -> StatusRenderer {
        let screen = Screen.current()
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return StatusRenderer(
            columns: screen.columns, style: TextStyle(hasColour: screen.hasColour), now: screen.isOutput ? now : nil)
    }
}

/// A timeline's name on the command line.
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
    /// What it is kept under.
    fileprivate var key: String {
        switch self {
        case .home: "home"
        case .everyone: "public"
        case .account(let name): "@" + name.lowercased()
        }
    }
}
