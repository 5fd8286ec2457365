import FeedCore
import FeedFiles
import FeedImages
import FeedStore
import FeedTerminal
import Foundation

/// Fills an empty data folder with a demo feed.
struct DemoFeed: Sendable {
    /// The credentials of the demo account.
    struct Login: Sendable {
        let username: String
        let password: String
    }

    private static let username = "demo"
    private static let localPassword = "feed-demo"
    private static let mark = "demo"
    private static let filling = "filling"

    let database: FeedDatabase
    let blobs: BlobStore
    /// The data folder.
    let folder: String

    func isFeedEmpty() async throws -> Bool { try await AccountStore(database).counts().accounts == 0 }

    /// Sets the demo password for the current settings; must be called after binding the port and before handling
    /// requests.
    /// - Returns: The credentials, or `nil` if the folder contains no demo feed, or if `--demo` is not set and the
    ///   server is only reachable locally.
    func login(_ settings: ServeSettings) async throws -> Login? {
        // Also applies without --demo, because the documented default password must not work on a reachable server.
        guard try await database.meta(Self.mark) != nil, settings.demo || !settings.isLoopback else { return nil }
        guard let account = try await AccountStore(database).account(named: Self.username) else { return nil }
        return try await login(of: account, settings)
    }

    /// Fills an empty folder and leaves other data unchanged. A marker is stored first, so that an interrupted run is
    /// completed by the next one.
    func fillOnce() async throws {
        let mark = try await database.meta(Self.mark)
        let isEmpty = try await AccountStore(database).list().isEmpty
        guard mark == Self.filling || (mark == nil && isEmpty) else { return }
        StandardError.line("filling \(folder) with a demo feed, which takes some seconds")
        try await database.setMeta(Self.mark, Self.filling)
        if isEmpty { try await fill() }
        try await addPictures()
        try await database.setMeta(Self.mark, "new")
    }

    /// Sets a random password if the server is reachable from other machines, otherwise the documented default.
    private func login(of account: Account, _ settings: ServeSettings) async throws -> Login {
        let password = settings.isLoopback ? Self.localPassword : String(Secret.randomText().prefix(16))
        let kind = settings.isLoopback ? "local" : "remote"
        if try await database.meta(Self.mark) != kind || !settings.isLoopback {
            try await AccountStore(database).setPassword(try Scrypt.standard.hash(password), of: account.id)
            try await database.setMeta(Self.mark, kind)
        }
        return Login(username: account.username, password: password)
    }

    private func fill() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/feed-demo-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for photo in DemoPhoto.all {
            try Data(photo.png()).write(to: URL(fileURLWithPath: folder + "/" + photo.fileName))
        }
        let session = try await ImportSession.begin(in: database)
        let records = DemoGenerator(now: WallClock.system.now()).records()
        try await session.add(records.enumerated().map { (line: $0.offset + 1, record: $0.element) })
        var settings = MediaPool.Settings()
        // No requests are served yet, and somebody waits.
        settings.niceness = 0
        let media = ImportMedia(
            database, blobs, folder: try ImportFolder(of: folder + "/demo.ndjson"), limits: MediaLimits(),
            settings: settings)
        try await media.store(session.takeFiles(), in: session) { _ in }
        _ = try await session.publish()
        try await DemoActivity(database: database).add()
    }

    /// Sets an avatar for two of three accounts and stores a few images as files.
    private func addPictures() async throws {
        let accounts = AccountStore(database)
        for (index, account) in try await accounts.list().enumerated() where index % 3 != 2 {
            try await blobs.whilePublishing {
                let blob = try await blobs.store(DemoPicture.png(seed: UInt64(index), side: 120))
                try await accounts.setAvatar(blob.hash, of: account.id)
            }
        }
        guard try await FileStore(database).file(named: "picture-6.png") == nil else { return }
        let owner = try await accounts.account(named: Self.username)
        for index in 1...6 {
            try await blobs.whilePublishing {
                let blob = try await blobs.store(DemoPicture.png(seed: UInt64(1000 + index), side: 320))
                let picture = StoredFile(
                    name: "picture-\(index).png", ownerID: owner?.id, blob: blob, type: "image/png",
                    modifiedAt: WallClock.system.now())
                _ = try await FileStore(database).add([picture], quota: nil)
            }
        }
    }
}

/// The activity of the demo accounts: boosts, favourites and a poll, which the import format does not support.
private struct DemoActivity: Sendable {
    /// The number of newest public statuses that are boosted and favourited.
    private static let statuses = 120
    private static let pollDays: Int64 = 3

    let database: FeedDatabase

    func add() async throws {
        let accounts = try await AccountStore(database).list()
        let page = try await TimelineStore(database).timeline(.public, page: Pagination(limit: Self.statuses), for: nil)
        try await react(to: page.entries, accounts)
        try await addPoll(accounts)
    }

    /// All at once, so that they share transactions.
    private func react(to statuses: [Status], _ accounts: [Account]) async throws {
        var random = SeededRandom(seed: 2022)
        let (store, boostStore) = (StatusStore(database), BoostStore(database))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for status in statuses {
                let people = accounts.filter { $0.id != status.account.id }.shuffled(using: &random)
                // Most statuses get few reactions, some get many.
                let share = Double.random(in: 0..<1, using: &random)
                let favourites = people.prefix(Int(share * share * 14))
                let boosts = people.suffix(Int(share * share * share * 6))
                for person in favourites {
                    group.addTask { _ = try await store.set(.favourite, true, on: status.id, by: person.id) }
                }
                for person in boosts {
                    group.addTask { _ = try await boostStore.boost(status.id, visibility: nil, by: person.id) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func addPoll(_ accounts: [Account]) async throws {
        guard let author = accounts.first(where: { $0.username == DemoTexts.poll.author }) else { return }
        var draft = StatusDraft(text: DemoTexts.poll.text)
        draft.language = "en"
        draft.poll = PollDraft(
            options: DemoTexts.poll.options, seconds: Self.pollDays * 86_400, isMultiple: false)
        let posting = StatusPosting(
            accounts: AccountStore(database), statuses: StatusStore(database), limits: Limits())
        let status = try await posting.post(draft, by: author)
        for (index, voter) in accounts.enumerated() where voter.id != author.id && index % 2 == 0 {
            _ = try await PollStore(database).vote([index / 2 % draft.optionCount], in: status.id, by: voter.id)
        }
    }
}

extension StatusDraft {
    fileprivate var optionCount: Int { poll?.options.count ?? 1 }
}

/// A picture that some of the demo's statuses show.
struct DemoPhoto: Sendable {
    private static let (width, height) = (960, 640)

    let seed: UInt64
    let description: String

    var fileName: String { "photo-\(seed).png" }

    func png() -> [UInt8] { DemoPicture.png(seed: seed, width: Self.width, height: Self.height) }

    static let all = [
        "Two ranges of hills under a wide sky, with a pale sun low on the horizon",
        "The sun above a dark ridge; the sky grows lighter towards the ground",
        "A quiet valley between two hills, painted in flat colors",
        "Morning over the hills: the nearer one in shadow, the farther one in haze",
        "A small sun above a long, gentle slope",
        "Evening sky over two wooded hills",
        "A steep ridge in front of a lighter one, and a round sun",
        "Hills like waves, under a clear sky",
        "The last light of the day above a valley",
        "A broad hill with a second one behind it, in the colors of late summer",
    ].enumerated().map { DemoPhoto(seed: UInt64(2000 + $0.offset), description: $0.element) }
}

/// Draws a small abstract landscape with sky, sun and hills in random colors.
enum DemoPicture {
    static func png(seed: UInt64, side: Int) -> [UInt8] { png(seed: seed, width: side, height: side) }

    /// Renders a PNG image. The same seed always gives the same image.
    /// - Parameters: Sizes in pixels.
    static func png(seed: UInt64, width: Int, height: Int) -> [UInt8] {
        var random = SeededRandom(seed: seed &* 7919 &+ 17)
        let sky = (color(&random, 140...220), color(&random, 200...255))
        let hills = [color(&random, 60...150), color(&random, 30...110)]
        let sun = (x: Double.random(in: 0.2...0.8, using: &random), y: Double.random(in: 0.15...0.4, using: &random))
        let waves = hills.map { _ in Double.random(in: 0...6, using: &random) }
        let ratio = Double(width) / Double(height)
        return PNGEncoder.encode(width: width, height: height) { column, row in
            let (x, y) = (Double(column) / Double(width), Double(row) / Double(height))
            for (index, hill) in hills.enumerated().reversed() where y > ridge(x, wave: waves[index], index: index) {
                return hill
            }
            let (dx, dy) = ((x - sun.x) * ratio, y - sun.y)
            if dx * dx + dy * dy < 0.012 { return Pixel(255, 240, 200) }
            return sky.0.mixed(with: sky.1, y)
        }
    }

    /// The outline of a hill, made of two triangle waves, which give the same result on every platform.
    private static func ridge(_ x: Double, wave: Double, index: Int) -> Double {
        func triangle(_ value: Double) -> Double { abs((value - value.rounded(.down)) * 2 - 1) }
        return 0.55 + Double(index) * 0.17 + 0.12 * triangle(x * 1.3 + wave) + 0.05 * triangle(x * 3.1 + wave * 2)
    }

    private static func color(_ random: inout SeededRandom, _ range: ClosedRange<Int>) -> Pixel {
        func channel(_ random: inout SeededRandom) -> UInt8 { UInt8(Int.random(in: range, using: &random)) }
        return Pixel(channel(&random), channel(&random), channel(&random))
    }
}
