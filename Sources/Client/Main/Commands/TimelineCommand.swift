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
            NAME is home, public, @user or list:TITLE; the default is home if you are logged in, otherwise public. The \
            statuses are stored, and --offline shows them again. --follow prints the oldest status first, and then \
            each new one as it arrives, until Ctrl-C.
            """)

    @OptionGroup var global: GlobalOptions
    @Argument(help: .init("home, public, @user or list:TITLE.", valueName: "name")) var name: TimelineArgument?
    @Option(help: "The maximum number of statuses.") var limit = 20
    @Flag(help: "Show the stored statuses, without a network.") var offline = false
    @Flag(help: "Keep printing new statuses as they arrive.") var follow = false
    @Flag(help: "Print one Status entity per line, as JSON.") var json = false
    @Option(help: "Show avatars: auto, none, kitty or iterm.") var images = ImageOption.auto

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be between 1 and 10000.") }
        if follow, offline {
            throw ValidationError("--follow needs the network; it cannot be combined with --offline.")
        }
    }

    func run() async throws {
        try await ErrorReporter.run {
            let session = try global.session()
            let timeline = try timeline(session.login)
            if follow { return try await followed(timeline, session.login).run() }
            let stored = OfflineTimeline(timeline, session: session)
            let entries = try await offline ? stored.load(limit) : fetch(timeline, stored, session.login)
            try await show(entries)
            if !offline, session.login?.isClassic == false { await stored.sync(global) }
        }
    }

    private func timeline(_ login: CredentialStore.Login?) throws -> TimelineName {
        let timeline = name?.value ?? (login == nil ? .public : .home)
        if login?.isClassic == true {
            guard timeline == .home else {
                throw FeedClientError(
                    .usage, "This server has only one timeline", hint: "Omit the name of the timeline.")
            }
        } else if timeline.needsLogin, !offline {
            try global.login()
        }
        return timeline
    }

    private func followed(_ timeline: TimelineName, _ login: CredentialStore.Login?) throws -> FollowedTimeline {
        guard login?.isClassic != true else {
            throw FeedClientError(
                .usage, "The classic login cannot follow a timeline", hint: "Log in without --classic.")
        }
        return FollowedTimeline(timeline: timeline, count: limit, isJSON: json, images: images, global: global)
    }

    private func fetch(
        _ timeline: TimelineName, _ stored: OfflineTimeline, _ login: CredentialStore.Login?
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
            StandardError.line("this server sends only the newest \(ClassicFeed.maximumCount) statuses")
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
        let avatars = AvatarRenderer(images: images, global: global)
        let pictures = try await offline ? [:] : avatars.load(entries.map(\.status))
        renderer.picture = { $0.avatar.flatMap { pictures[$0] } }
        for entry in entries {
            for line in renderer.lines(entry.status) { print(line) }
        }
    }
}

extension TimelineName {
    fileprivate var needsLogin: Bool {
        switch self {
        case .home, .list: true
        case .public, .account: false
        }
    }
}
