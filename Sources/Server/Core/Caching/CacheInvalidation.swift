/// Decides which changes make a cached value invalid, from what the value depends on.
///
/// The rules are conservative: a value may be recomputed although it would be the same, but a stale one is never
/// kept. Rare kinds of changes with a wide effect invalidate every value, as does a kind that only a newer program
/// knows.
package struct CacheInvalidation: Sendable, Equatable {
    /// The accounts whose new statuses a page would show.
    package enum Authors: Sendable, Equatable {
        case everyone
        /// These, whose edits, deletions, pins and boosts may also change which statuses the page shows.
        case accounts(Set<Int64>)
    }

    /// The owner of an access token.
    package enum TokenOwner: Sendable, Equatable {
        case application
        case account(Int64)
    }

    /// Any change affects the value.
    package var onAnything = false
    /// The account for which the value was computed. Its own actions and changes of its relationships affect the value.
    package var viewer: Int64?
    /// The accounts whose entity the value contains.
    package var accounts: Set<Int64> = []
    /// The statuses whose entity or id the value contains, including parents and boosted statuses.
    package var statuses: Set<Int64> = []
    /// The authors whose new statuses the value would contain; `nil` if it contains no list that grows.
    package var authors: Authors?
    /// The keys of hashtags. The value would also contain new public statuses with one of them.
    package var tags: Set<String> = []
    /// New statuses from this id on are not part of the value.
    package var end: Int64 = .max
    /// The account on whose tokens, password and profile the value depends, if it depends on nothing else of that
    /// account, not even on the counts of its entity.
    package var login: TokenOwner?
    /// The account whose filters the value contains, if it depends on nothing else of that account.
    package var filters: Int64?
    /// Whether any stored or deleted file affects the value.
    package var onFiles = false

    package init() {}

    /// The dependencies of a value that any change affects.
    package static var anything: CacheInvalidation {
        var dependencies = CacheInvalidation()
        dependencies.onAnything = true
        return dependencies
    }

    /// The approximate memory in bytes of what does not fit into a few hundred, which the cost of each value includes.
    package var cost: Int {
        guard case .accounts(let authors) = authors else { return 128 * tags.count }
        return 16 * authors.count + 128 * tags.count
    }

    /// The kinds that affect a login or filters. They are so rare that such a value stays valid however many other
    /// changes there are, which is why those need not be checked.
    static let rareKinds: Set<Change.Kind> = {
        var dependencies = CacheInvalidation()
        (dependencies.login, dependencies.filters) = (.account(0), 0)
        return Set(
            Change.Kind.allCases.filter {
                dependencies.areAffected(by: Change(sequence: 0, kind: $0, subject: 0, account: 0, at: 0))
            })
    }()

    /// Whether only changes of ``rareKinds`` affect the value.
    var areAffectedByRareKindsOnly: Bool {
        var others = self
        (others.login, others.filters) = (nil, nil)
        return others == CacheInvalidation()
    }

    /// Whether a change may affect the value.
    package func areAffected(by change: Change) -> Bool {
        onAnything || isAffected(by: change)
    }

    private func isAffected(by change: Change) -> Bool {
        switch change.kind {
        case .statusCreated, .boosted:
            contains(change) || (isInRange(change.subject) && grows(by: change))
        case .statusEdited, .statusDeleted, .unboosted, .pinned, .unpinned:
            contains(change) || grows(by: change)
        case .favourited, .unfavourited:
            statuses.contains(change.subject) || isViewer(change.account)
        case .bookmarked, .unbookmarked, .conversationMuted, .conversationUnmuted, .mentioned, .muted, .unmuted,
            .listChanged, .tagFollowed, .tagUnfollowed, .accountNoted:
            isViewer(change.account)
        case .followed, .unfollowed, .followRequested, .followRejected, .blocked, .unblocked:
            isViewer(change.account) || isViewer(change.subject) || accounts.contains(change.account)
                || accounts.contains(change.subject)
        case .accountUpdated, .accountCreated:
            isViewer(change.account) || accounts.contains(change.account) || isLogin(of: change.account)
        case .passwordChanged, .tokenRevoked:
            isLogin(of: change.account)
        case .filterChanged:
            isViewer(change.account) || change.account != nil && change.account == filters
        case .mediaUpdated, .pollVoted, .pollClosed:
            statuses.contains(change.subject)
        case .filePut, .fileDeleted:
            onFiles
        // A rejected account was never visible. No cached value contains conversations, suggestions, featured hashtags
        // or lists of endorsed accounts.
        case .notified, .notificationsDismissed, .markerMoved, .reportCreated, .reportUpdated, .signUpRejected,
            .conversationRead, .conversationHidden, .suggestionDismissed, .tagFeatured, .tagUnfeatured, .endorsed,
            .unendorsed:
            false
        case .imported, .accountSuspended, .accountUnsuspended, .accountSilenced, .accountUnsilenced, .accountRemoved,
            .boostsRemoved, .emojiChanged, .unknown:
            true
        }
    }

    /// The entries that changes may have added to the list that the value shows.
    /// - Returns: `nil` if the changes may have removed or reordered entries, or changed what the viewer has marked. Other
    ///   changes of the entries have no effect on the result.
    func additions(by changes: some Sequence<Change>) -> ListAdditions? {
        guard !onAnything else { return nil }
        var added = ListAdditions()
        for change in changes where isAffected(by: change) {
            guard let subject = change.subject, let account = change.account else { return nil }
            switch (change.kind, account == viewer) {
            case (.statusCreated, _), (.boosted, false):
                guard isInRange(subject), grows(by: change) else { break }
                added.ids.append(subject)
                if change.kind == .boosted { added.boosts.insert(subject) }
            case (.favourited, false), (.unfavourited, false): break
            default: return nil
            }
        }
        return added
    }

    /// Whether an entity in the value changes. The account's entity contains its number of statuses.
    private func contains(_ change: Change) -> Bool {
        accounts.contains(change.account) || statuses.contains(change.subject) || statuses.contains(change.related)
    }

    private func grows(by change: Change) -> Bool {
        if !tags.isEmpty, change.tags.contains(where: tags.contains) { return true }
        return growsByAuthor(of: change)
    }

    private func growsByAuthor(of change: Change) -> Bool {
        switch authors {
        case nil: false
        case .everyone: change.kind == .statusCreated || change.kind == .statusEdited
        case .accounts(let accounts): accounts.contains(change.account)
        }
    }

    private func isInRange(_ id: Int64?) -> Bool { id.map { $0 < end } ?? true }

    private func isViewer(_ account: Int64?) -> Bool { account != nil && account == viewer }

    private func isLogin(of account: Int64?) -> Bool {
        switch login {
        case nil: false
        case .application: account == nil
        case .account(let id): account == id
        }
    }
}

extension CacheInvalidation {
    /// The dependencies of statuses that a value shows outside of any list.
    /// - Parameter viewer: The account for which they were read; `nil` for anonymous visitors.
    package init(showing statuses: [Status], to viewer: Int64?) {
        // By index, because copying a status costs more than its references.
        self.init(showing: statuses.indices.map { statuses[$0].references }, to: viewer)
    }

    /// The dependencies of statuses that a value shows outside of any list.
    package init(showing statuses: [StatusReferences], to viewer: Int64?) {
        self.init()
        self.viewer = viewer
        accounts.reserveCapacity(statuses.count)
        self.statuses.reserveCapacity(2 * statuses.count)
        for status in statuses { add(status) }
    }

    /// The dependencies of a page of a timeline.
    /// - Parameters:
    ///   - pagination: The requested page.
    ///   - sources: Where the statuses of a home timeline or of a list come from. Ignored for other timelines.
    package init<Entry: ListedEntry>(
        _ page: Page<Entry>, of timeline: Timeline, _ pagination: Pagination, sources: TimelineSources, viewer: Int64?
    ) {
        self.init(showing: page.entries.indices.map { page.entries[$0].references }, to: viewer)
        if let following = page.following { add(following.references) }
        authors = timeline.newAuthors(sources)
        tags = timeline.newTags(sources)
        end = Self.end(of: page, pagination)
        // Where reading stopped depends on statuses that the page does not show.
        onAnything = page.endsEarly || (timeline.hasSources && sources.authors == nil) || timeline == .classic
    }

    private mutating func add(_ status: StatusReferences) {
        accounts.insert(status.author)
        statuses.insert(status.id)
        if let parent = status.parent { statuses.insert(parent) }
        if let booster = status.booster { accounts.insert(booster) }
        if let boost = status.boost { statuses.insert(boost) }
    }

    /// New statuses have higher ids than all others, so they never enter a page below an upper bound, nor a full page
    /// that was read upwards.
    private static func end(of page: Page<some Sendable>, _ pagination: Pagination) -> Int64 {
        guard pagination.isAscending, page.entries.count >= pagination.limit else { return pagination.maxID ?? .max }
        return 0
    }
}

extension Timeline {
    /// Whether the timeline depends on ``TimelineSources``.
    package var hasSources: Bool {
        switch self {
        case .home, .list: true
        default: false
        }
    }

    /// The accounts whose new statuses may appear on the timeline.
    fileprivate func newAuthors(_ sources: TimelineSources) -> CacheInvalidation.Authors? {
        switch self {
        case .public, .publicMedia, .conversations, .classic: .everyone
        case .home, .list: sources.authors.map { .accounts($0) }
        case .account(let account, _): .accounts([account])
        // Hashtags select statuses; marks are the viewer's own actions.
        case .tags, .marked: nil
        }
    }

    /// The hashtags with which new public statuses may appear on the timeline.
    fileprivate func newTags(_ sources: TimelineSources) -> Set<String> {
        switch self {
        case .home: sources.tags
        case .tags(let filter): Set(filter.any)
        default: []
        }
    }
}

/// Entries that changes may have added to a list.
package struct ListAdditions: Sendable, Equatable {
    /// The ids of statuses and boosts.
    package var ids: [Int64] = []
    /// The ids of the boosts among them.
    package var boosts: Set<Int64> = []

    package init(_ ids: [Int64] = [], boosts: Set<Int64> = []) { (self.ids, self.boosts) = (ids, boosts) }
}

extension Set<Int64> {
    fileprivate func contains(_ id: Int64?) -> Bool { id.map { contains($0) as Bool } ?? false }
}
