import Crypto
package import FeedCore
package import FeedStore
import Foundation
import Synchronization
package import TestKit

/// A clock that the test sets, in milliseconds since 1970.
package final class TestClock: Sendable {
    private let time = Mutex<Int64>(1_700_000_000_000)

    package init() {}

    package var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    package var clock: WallClock { WallClock { self.now } }
}

/// A real database in its own folder, with a clock that the test sets.
package final class TestStore: Sendable {
    package let folder: TemporaryFolder
    package let database: FeedDatabase
    package let clock: TestClock

    package var accounts: AccountStore { AccountStore(database) }
    package var statuses: StatusStore { StatusStore(database) }
    package var edits: StatusEditing { StatusEditing(database) }
    package var boosts: BoostStore { BoostStore(database) }
    package var scheduledStatuses: ScheduledStatusStore { ScheduledStatusStore(database) }
    package var follows: FollowStore { FollowStore(database) }
    package var relationships: RelationshipStore { RelationshipStore(database) }
    package var blocks: BlockStore { BlockStore(database) }
    package var mutes: MuteStore { MuteStore(database) }
    package var notifications: NotificationStore { NotificationStore(database) }
    package var filters: FilterStore { FilterStore(database) }
    package var endorsements: EndorsementStore { EndorsementStore(database) }
    package var notes: AccountNoteStore { AccountNoteStore(database) }
    package var markers: MarkerStore { MarkerStore(database) }
    package var lists: ListStore { ListStore(database) }
    package var tagFollows: FollowedTagStore { FollowedTagStore(database) }
    package var search: SearchStore { SearchStore(database) }
    package var tokens: TokenStore { TokenStore(database) }
    package var files: FileStore { FileStore(database) }
    package var media: MediaStore { MediaStore(database) }
    package var polls: PollStore { PollStore(database) }
    package var registrations: RegistrationStore { RegistrationStore(database) }
    package var invitations: InvitationStore { InvitationStore(database) }
    package var changes: ChangeLogStore { ChangeLogStore(database) }
    package var streams: StreamStore { StreamStore(database) }
    package var moderation: ModerationStore { ModerationStore(database) }
    package var reports: ReportStore { ReportStore(database) }
    package var conversations: ConversationStore { ConversationStore(database) }
    package var timelines: TimelineStore { TimelineStore(database) }
    package var tags: TagStore { TagStore(database) }
    package var featuredTags: FeaturedTagStore { FeaturedTagStore(database) }
    package var trends: TrendStore { TrendStore(database) }
    package var suggestions: SuggestionStore { SuggestionStore(database) }
    package var deletion: AccountDeletion { AccountDeletion(database) }

    /// - Parameter folder: A folder to keep across several stores. Only in a new one, the database is a copy that does
    ///   not have to be migrated.
    package init(folder place: TemporaryFolder? = nil, version: String = "test") throws {
        folder = try place ?? TemporaryFolder()
        clock = TestClock()
        let data = folder.path + "/data"
        if PostgresTests.isEnabled {
            database = try PostgresTests.open(folder: folder, clock: clock.clock, version: version)
        } else {
            if place == nil { try DatabaseFile.copyTemplate(to: data) }
            database = try FeedDatabase(folder: data, clock: clock.clock, version: version)
        }
    }

    /// The folder and the clock of another store, with a database that wraps its database.
    package init(_ store: TestStore, database: FeedDatabase) {
        (folder, clock) = (store.folder, store.clock)
        self.database = database
    }

    package func account(_ name: String) async throws -> Account {
        try await accounts.create(NewAccount(username: name))
    }

    /// Sets whether the account approves its followers.
    package func lock(_ account: Account, _ isLocked: Bool = true) async throws {
        _ = try await accounts.update(account.id) { $0.isLocked = isLocked }
    }

    /// A list of an account with members, which the account must follow.
    package func list(
        _ title: String = "list", of owner: Account, _ members: [Account] = [],
        replies: AccountList.RepliesPolicy? = nil, isExclusive: Bool? = nil
    ) async throws -> AccountList {
        let draft = ListDraft(title: title, repliesPolicy: replies, isExclusive: isExclusive)
        let list = try await lists.create(draft, by: owner.id)
        if !members.isEmpty { try await lists.add(members.map(\.id), to: list.id, of: owner.id) }
        return list
    }

    /// The kinds of the changes after `sequence`.
    package func kinds(after sequence: Int64) async throws -> [Change.Kind] {
        try await changes.changes(after: sequence, limit: 1000).map(\.kind)
    }

    /// Posts a status through ``StatusPosting``.
    @discardableResult
    package func post(
        _ text: String, by author: Account, _ visibility: Visibility = .public, replyTo: Int64? = nil,
        media: [StoredMedia] = [], poll: PollDraft? = nil, language: String? = nil
    ) async throws -> Status {
        var draft = StatusDraft(text: text)
        draft.language = language
        draft.visibility = visibility
        draft.inReplyToID = replyTo
        draft.mediaIDs = media.map(\.id)
        draft.poll = poll
        return try await StatusPosting(accounts: accounts, statuses: statuses, limits: Limits()).post(draft, by: author)
    }

    package var scheduling: ScheduledStatusPublishing {
        ScheduledStatusPublishing(
            accounts: accounts, schedules: scheduledStatuses,
            posting: StatusPosting(accounts: accounts, statuses: statuses, limits: Limits()), clock: clock.clock)
    }

    /// Schedules a status.
    @discardableResult
    package func schedule(
        _ text: String, by author: Account, in minutes: Int64 = 10, replyTo: Int64? = nil, media: [StoredMedia] = [],
        key: String? = nil
    ) async throws -> SchedulingResult {
        var draft = StatusDraft(text: text)
        draft.inReplyToID = replyTo
        draft.mediaIDs = media.map(\.id)
        draft.idempotencyKey = key
        return try await scheduling.schedule(draft, at: clock.now + minutes * 60_000, by: author)
    }

    /// Stores an image whose blobs do not exist. Their hashes begin with the seed.
    package func image(
        _ seed: UInt8 = 1, by account: Account, size: Int64 = 100, quota: Int64? = nil, _ description: String? = nil
    ) async throws -> StoredMedia {
        func blob(_ letter: Character, _ size: Int64) -> Blob {
            Blob(hash: .starting(Hex.text([seed]), letter), size: size)
        }
        let processed = ProcessedMedia(
            format: .png, meta: MediaMeta(width: 16, height: 9), blurhash: "000000", content: blob("a", size))
        var draft = MediaChanges()
        draft.description = description
        draft.thumbnail = StoredMedia.Thumbnail(blob: blob("b", 10), format: .png, width: 4, height: 3)
        return try await media.create(processed, draft, by: account.id, quota: quota)
    }

    /// Imports lines of NDJSON.
    @discardableResult
    package func importLines(_ lines: String) async throws -> ImportReport {
        let session = try await ImportSession.begin(in: database)
        do {
            try await session.add(try Self.records(lines))
            return try await session.publish()
        } catch {
            _ = try await session.abandon()
            throw error
        }
    }

    package static func records(_ lines: String) throws -> [(line: Int, record: ImportRecord)] {
        try lines.split(separator: "\n").enumerated().map { index, line in
            (index + 1, try ImportRecord(line: .init(line.utf8), decoder: .init()))
        }
    }
}

extension BlobHash {
    /// A hash that begins with `digits` and continues with copies of `filler`.
    package static func starting(_ digits: String, _ filler: Character = "0") -> BlobHash {
        BlobHash(digits + String(repeating: filler, count: 64 - digits.utf8.count))
            ?? BlobHash(SHA256.hash(data: Data(digits.utf8)))
    }
}
