import FeedAPI
import FeedCore

/// Generates the demo feed: 60 accounts, their follows, and 2,000 statuses of the last 90 days. The result is
/// deterministic except for the times, which depend on `now`.
struct DemoGenerator {
    /// One more is the poll of ``DemoActivity``.
    private static let statusCount = 1999 - DemoTexts.thread.count
    private static let span: Int64 = 90 * 86_400_000

    private struct Post {
        var person: DemoTexts.Person
        var time: Int64
    }

    private let now: Int64
    private var random = SeededRandom(seed: 2014)
    private var posts: [Post] = []
    private var decks: [String: [String]] = [:]
    /// The people in order of activity, most active first.
    private let writers: [DemoTexts.Person]

    /// - Parameter now: Milliseconds since 1970, UTC; the newest status is at least three minutes older.
    init(now: Int64) {
        self.now = now
        writers = DemoTexts.people.shuffled(using: &random)
    }

    /// The accounts, follows and statuses, in import order.
    func records() -> [ImportRecord] {
        var copy = self
        return copy.accounts() + copy.follows() + copy.statuses() + copy.thread()
    }

    private func accounts() -> [ImportRecord] {
        DemoTexts.people.map { person in
            var account = ImportRecord.Account(username: person.username)
            account.display_name = person.displayName
            account.city = person.city
            account.note = person.note
            account.role = person.username == "demo" ? "admin" : "member"
            account.created_at = ISO8601.text(milliseconds: now - Self.span - 86_400_000)
            return .account(account)
        }
    }

    private mutating func follows() -> [ImportRecord] {
        DemoTexts.people.flatMap { person in
            let others = DemoTexts.people.filter { $0.username != person.username }.shuffled(using: &random)
            return others.prefix(Int.random(in: 8...24, using: &random)).map {
                ImportRecord.follow(.init(from: person.username, to: $0.username))
            }
        }
    }

    private mutating func statuses() -> [ImportRecord] {
        let step = Self.span / Int64(Self.statusCount)
        return (0..<Self.statusCount).map { index in
            let jitter = Int64.random(in: 0..<step, using: &random)
            let time = now - Self.span + Int64(index) * step + jitter - 180_000
            return .status(status(index, at: time))
        }
    }

    private mutating func status(_ index: Int, at time: Int64) -> ImportRecord.Status {
        let showsPhoto = Self.showsPhoto(index)
        let isReply = Int.random(in: 0..<4, using: &random) == 0 && !showsPhoto
        let target = isReply ? replyTarget(before: index) : nil
        // The square of a uniform number is skewed, so that a few people write most of the statuses.
        let share = Double.random(in: 0..<1, using: &random)
        var person = writers[Int(share * share * Double(writers.count))]
        if let target { person = replier(to: posts[target].person) ?? person }
        posts.append(Post(person: person, time: time))
        var status = ImportRecord.Status(
            author: person.username, created_at: ISO8601.text(milliseconds: time), text: "")
        status.n = index
        status.language = person.language
        status.source = DemoTexts.sources.randomElement(using: &random)
        status.visibility = visibility()
        fill(&status, person: person, target: target)
        if showsPhoto, status.spoiler_text == nil { addPhoto(to: &status) }
        return status
    }

    /// Photos are rare, but some are among the newest statuses. No reply shows one.
    private static func showsPhoto(_ index: Int) -> Bool {
        index % 40 == 9 || index > statusCount - 80 && index % 6 == 1
    }

    private mutating func addPhoto(to status: inout ImportRecord.Status) {
        let photo = DemoPhoto.all[Int.random(in: DemoPhoto.all.indices, using: &random)]
        var media = ImportRecord.Media(file: photo.fileName)
        media.description = photo.description
        status.media = [media]
        status.visibility = "public"
    }

    /// Three statuses with which one person continues an own status.
    private mutating func thread() -> [ImportRecord] {
        let author = writers[0].username
        return DemoTexts.thread.enumerated().map { index, text in
            let time = now - 3_600_000 + Int64(index) * 60_000
            var status = ImportRecord.Status(
                author: author, created_at: ISO8601.text(milliseconds: time), text: text)
            status.n = Self.statusCount + index
            status.language = "en"
            status.in_reply_to = index > 0 ? Self.statusCount + index - 1 : nil
            return .status(status)
        }
    }

    private mutating func fill(_ status: inout ImportRecord.Status, person: DemoTexts.Person, target: Int?) {
        if let target {
            status.in_reply_to = target
            status.text = "@\(posts[target].person.username) " + draw(DemoTexts.replies, "reply", person.language)
        } else if Int.random(in: 0..<40, using: &random) == 0,
            let warned = DemoTexts.warned.filter({ $0.language == person.language }).randomElement(using: &random)
        {
            status.spoiler_text = warned.spoiler
            status.text = warned.text
        } else {
            status.text = draw(DemoTexts.posts, "post", person.language)
        }
    }

    private mutating func replyTarget(before index: Int) -> Int? {
        guard index > 10 else { return nil }
        return Int.random(in: max(0, index - 40)..<index, using: &random)
    }

    /// A random other person who writes in the same language, if any.
    private mutating func replier(to person: DemoTexts.Person) -> DemoTexts.Person? {
        DemoTexts.people.filter { $0.language == person.language && $0.username != person.username }
            .randomElement(using: &random)
    }

    private mutating func visibility() -> String {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3: "private"
        case 3..<8: "unlisted"
        default: "public"
        }
    }

    /// Draws texts like cards from a shuffled deck, so that a text is repeated only after all others have been used.
    private mutating func draw(_ texts: [String: [String]], _ kind: String, _ language: String) -> String {
        let key = kind + " " + language
        if decks[key, default: []].isEmpty {
            decks[key] = (texts[language] ?? texts["en"] ?? ["…"]).shuffled(using: &random)
        }
        return decks[key]?.popLast() ?? "…"
    }
}

/// A deterministic random number generator (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
