import FeedCore
import FeedFiles
import FeedStore
import Foundation

/// Fills an empty folder with a lively feed, always from the same texts.
struct Demo: Sendable {
    /// What a visitor logs in with.
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

    /// Makes the password what it has to be; to be called by who listens, before anybody is answered.
    /// - Returns: The login, when the folder holds a demo and it is asked for or had to be changed.
    func login(_ settings: ServeSettings) async throws -> Login? {
        // Also without --demo: the password in the manual must not open a server that others can reach.
        guard try await database.meta(Self.mark) != nil, settings.demo || !settings.isLoopback else { return nil }
        guard let account = try await AccountStore(database).account(named: Self.username) else { return nil }
        return try await login(of: account, settings)
    }

    /// Fills an empty folder; one with other data is left alone. The mark comes first, so that what was broken off
    /// half-way is finished the next time.
    func fillOnce() async throws {
        let mark = try await database.meta(Self.mark)
        let isEmpty = try await AccountStore(database).list().isEmpty
        guard mark == Self.filling || (mark == nil && isEmpty) else { return }
        try await database.setMeta(Self.mark, Self.filling)
        if isEmpty { try await fill() }
        try await addPictures()
        try await database.setMeta(Self.mark, "new")
    }

    /// Others can reach the server: then the password must not be one that stands in a manual.
    private func login(of account: Account, _ settings: ServeSettings) async throws -> Login {
        let password = settings.isLoopback ? Self.localPassword : String(AccessTokens.randomText().prefix(16))
        let kind = settings.isLoopback ? "local" : "remote"
        if try await database.meta(Self.mark) != kind || !settings.isLoopback {
            try await AccountStore(database).setPassword(try Scrypt.standard.hash(password), of: account.id)
            try await database.setMeta(Self.mark, kind)
        }
        return Login(username: account.username, password: password)
    }

    private func fill() async throws {
        let session = try await ImportSession.begin(in: database)
        let records = DemoFeed(now: WallClock.system.now()).records()
        try await session.add(records.enumerated().map { (line: $0.offset + 1, record: $0.element) })
        _ = try await session.publish()
    }

    /// Two of three accounts get a picture, and a few pictures lie among the files.
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
