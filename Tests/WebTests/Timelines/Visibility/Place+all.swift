extension Place {
    /// Every place that can reveal a status or its existence.
    static let all = byID + threads + lists + boosts + pages + files + owned

    static let byID: [Place] = [
        Place(name: "status", path: "/api/v1/statuses/{id}", sign: .succeeds) { $0.sees($1) },
        Place(name: "statuses", path: "/api/v1/statuses?id[]={id}") { $0.sees($1) },
        Place(name: "context", path: "/api/v1/statuses/{id}/context", sign: .succeeds) { $0.sees($1) },
        Place(name: "history", path: "/api/v1/statuses/{id}/history", sign: .succeeds) { $0.sees($1) },
        Place(name: "source", path: "/api/v1/statuses/{id}/source", sign: .succeeds, needsLogin: true) { viewer, word in
            // Some servers reserve the source for the author.
            viewer == .author || viewer.sees(word) == false ? viewer.sees(word) : nil
        },
        Place(name: "favourited_by", path: "/api/v1/statuses/{id}/favourited_by", sign: .succeeds) { $0.sees($1) },
        Place(name: "reblogged_by", path: "/api/v1/statuses/{id}/reblogged_by", sign: .succeeds) { $0.sees($1) },
        Place(name: "poll", path: "/api/v1/polls/{id}", sign: .succeeds) { $0.sees($1) },
    ]

    static let threads: [Place] = [
        Place(name: "ancestors", path: "/api/v1/statuses/{reply-id}/context", omitsSilenced: true, truth: thread),
        Place(
            name: "descendants", path: "/api/v1/statuses/{root}/context", mark: "reply", omitsSilenced: true,
            truth: thread),
    ]

    static let lists: [Place] = [
        Place(name: "home", path: "/api/v1/timelines/home?limit=40", needsLogin: true, truth: home),
        Place(
            name: "list", path: "/api/v1/timelines/list/{list-{viewer}}?limit=40", needsLogin: true, truth: accountList),
        list("public", "/api/v1/timelines/public?limit=40"),
        list("local", "/api/v1/timelines/public?limit=40&local=true"),
        list("hashtag", "/api/v1/timelines/tag/walk?limit=40"),
        list("hashtag, all", "/api/v1/timelines/tag/walk?limit=40&all[]=main"),
        list("hashtag, any", "/api/v1/timelines/tag/other?limit=40&any[]=walk"),
        Place(name: "account", path: "/api/v1/accounts/{author}/statuses?limit=40") { $0.sees($1) },
        Place(name: "account, tagged", path: "/api/v1/accounts/{author}/statuses?limit=40&tagged=walk") { $0.sees($1) },
        Place(name: "account, pinned", path: "/api/v1/accounts/{author}/statuses?pinned=true") { viewer, word in
            word == "direct" ? false : viewer.sees(word)
        },
        Place(name: "favourites", path: "/api/v1/favourites?limit=40", needsLogin: true, truth: kept),
        Place(name: "bookmarks", path: "/api/v1/bookmarks?limit=40", needsLogin: true, truth: kept),
        Place(
            name: "notifications", path: "/api/v1/notifications?limit=40", needsLogin: true, omitsSilenced: true
        ) { viewer, _ in
            viewer == .addressee ? true : viewer == .author ? nil : false
        },
        // The newest status of a conversation.
        Place(
            name: "conversations", path: "/api/v1/conversations?limit=40", needsLogin: true, omitsSilenced: true
        ) { viewer, word in
            word == "direct" && (viewer == .author || viewer == .addressee)
        },
        Place(
            name: "change feed", path: "/api/v1/changes?since=0&limit=200", needsLogin: true, omitsSilenced: true
        ) { viewer, word in
            [.blocked, .blocking, .muting].contains(viewer) ? false : viewer.sees(word)
        },
        Place(name: "trends", path: "/api/v1/trends/statuses?limit=40", omitsSilenced: true, truth: everyone),
        Place(
            name: "grouped notifications", path: "/api/v2/notifications?limit=40", needsLogin: true, omitsSilenced: true
        ) { viewer, _ in
            viewer == .addressee ? true : viewer == .author ? nil : false
        },
        Place(name: "search", path: "/api/v2/search?q=main&type=statuses") { viewer, word in
            viewer.sees(word) == false ? false : nil
        },
        Place(
            name: "classic", path: "/ViewStatus.aspx?userName={viewer}&password=secret", needsLogin: true,
            omitsSilenced: true, truth: classic),
    ]

    private static func list(_ name: String, _ path: String) -> Place {
        Place(name: name, path: path, omitsSilenced: true, truth: everyone)
    }

    static let boosts: [Place] = [
        Place(name: "boost by id", path: "/api/v1/statuses/{boost}", sign: .succeeds, mark: "boosted", truth: boosted),
        Place(name: "booster", path: "/api/v1/accounts/{booster}/statuses?limit=40", mark: "boosted", truth: boosted),
        Place(
            name: "home of the booster's followers", path: "/api/v1/timelines/home?limit=40", mark: "boosted",
            needsLogin: true
        ) {
            viewer, word in
            viewer == .fan
                ? ["public", "unlisted"].contains(word) : [.blocked, .blocking, .muting].contains(viewer) ? false : nil
        },
    ]

    /// Pages, as a member reads them; visitors see public and unlisted statuses.
    static let pages: [Place] = [
        Place(name: "front page", path: "/", isForPeople: true, omitsSilenced: true, truth: everyone),
        Place(name: "home page", path: "/home", needsLogin: true, isForPeople: true, truth: home),
        Place(
            name: "notifications page", path: "/notifications", needsLogin: true, isForPeople: true, omitsSilenced: true
        ) { viewer, _ in
            viewer == .addressee ? true : viewer == .author ? nil : false
        },
        Place(name: "bookmarks page", path: "/bookmarks?limit=40", needsLogin: true, isForPeople: true, truth: kept),
        Place(name: "favourites page", path: "/favourites?limit=40", needsLogin: true, isForPeople: true, truth: kept),
        Place(
            name: "list page", path: "/lists/{list-{viewer}}?limit=40", needsLogin: true, isForPeople: true,
            truth: accountList),
        Place(
            name: "conversations page", path: "/conversations?limit=40", needsLogin: true, isForPeople: true,
            omitsSilenced: true
        ) { viewer, word in
            word == "direct" && (viewer == .author || viewer == .addressee)
        },
        Place(name: "profile page", path: "/@author", isForPeople: true) { $0.sees($1) },
        Place(name: "profile page with replies", path: "/@author/with_replies", mark: "reply", isForPeople: true) {
            $0.sees($1)
        },
        Place(name: "profile page, media", path: "/@author/media", mark: "media", isForPeople: true) { $0.sees($1) },
        Place(name: "hashtag page", path: "/tags/walk", isForPeople: true, omitsSilenced: true, truth: everyone),
        Place(name: "status page", path: "/@author/{id}", isForPeople: true) { $0.sees($1) },
        Place(
            name: "page that asks before deletion", path: "/statuses/{id}/delete", needsLogin: true, isForPeople: true
        ) {
            viewer, _ in
            viewer == .author
        },
        Place(name: "page for edits", path: "/statuses/{id}/edit", needsLogin: true, isForPeople: true) { viewer, _ in
            viewer == .author
        },
        Place(
            name: "page for replies", path: "/compose?in_reply_to_id={id}", sign: .succeeds, needsLogin: true,
            isForPeople: true
        ) { $0.sees($1) },
        Place(name: "permalink", path: "/statuses/{id}", sign: .succeeds, isForPeople: true) { $0.sees($1) },
        Place(name: "search page", path: "/search?q=main", isForPeople: true) { viewer, word in
            viewer.sees(word) == false ? false : nil
        },
    ]

    /// Statuses with a file.
    static let files: [Place] = [
        Place(name: "status with a file", path: "/api/v1/statuses/{media-id}", sign: .succeeds) { $0.sees($1) },
        Place(
            name: "account, files", path: "/api/v1/accounts/{author}/statuses?limit=40&only_media=true", mark: "media"
        ) { $0.sees($1) },
        Place(
            name: "public, files", path: "/api/v1/timelines/public?limit=40&only_media=true", mark: "media",
            omitsSilenced: true, truth: everyone),
        Place(
            name: "hashtag, files", path: "/api/v1/timelines/tag/walk?limit=40&only_media=true", mark: "media",
            omitsSilenced: true, truth: everyone),
        // By its id, an attachment is known to its owner only.
        Place(name: "attachment", path: "/api/v1/media/{attachment}", sign: .succeeds, needsLogin: true) { viewer, _ in
            viewer == .author ? nil : false
        },
    ]

    /// Places that belong to the author alone, whatever the visibility of statuses.
    static let owned: [Place] = [
        "/api/v1/lists/{list-author}", "/api/v1/lists/{list-author}/accounts", "/api/v1/timelines/list/{list-author}",
        "/api/v2/filters/{filter-author}", "/api/v2/filters/{filter-author}/keywords",
        "/api/v2/filters/{filter-author}/statuses", "/api/v2/filters/keywords/{keyword}",
        "/api/v2/filters/statuses/{entry}", "/api/v1/filters/{keyword}", "/api/v1/notifications/{notification}",
        "/api/v2/notifications/{group}", "/api/v2/notifications/{group}/accounts",
    ].map { path in
        Place(name: path, path: path, sign: .succeeds, needsLogin: true) { viewer, word in
            word == "public" ? viewer == .author : nil
        }
    }

    /// Scheduled statuses, in ``VisibilityWorld/onlyScheduled``.
    static let scheduled: [Place] = [
        Place(
            name: "scheduled status", path: "/api/v1/scheduled_statuses/{id}", sign: .succeeds, needsLogin: true
        ) { viewer, _ in viewer == .author },
        Place(
            name: "scheduled statuses", path: "/api/v1/scheduled_statuses?limit=40", mark: "scheduled", needsLogin: true
        ) { viewer, _ in viewer == .author },
    ]

    // MARK: Truths

    @Sendable private static func home(_ viewer: Viewer, _ word: String) -> Bool? {
        switch viewer {
        case .author: true
        case .follower: word != "direct"
        // A mentioned account finds the status among its notifications, and possibly at home.
        case .addressee: word == "direct" ? nil : false
        default: false
        }
    }

    /// Each viewer who follows the author has once added them to a list; the author has a list of themselves.
    @Sendable private static func accountList(_ viewer: Viewer, _ word: String) -> Bool? {
        (viewer == .author || viewer == .follower) && word != "direct"
    }

    /// The home timeline of a viewer who follows a hashtag of the status.
    static let followedTag = Place(
        name: "home, hashtag", path: "/api/v1/timelines/home?limit=40", needsLogin: true, omitsSilenced: true
    ) { viewer, word in
        home(viewer, word) == true ? true : word == "public" ? everyone(viewer, word) : home(viewer, word)
    }

    /// The home timeline of viewers whose lists are exclusive. Only a follower can have the author on a list.
    @Sendable static func exclusiveHome(_ viewer: Viewer, _ word: String) -> Bool? {
        viewer == .follower ? false : home(viewer, word)
    }

    /// The same for viewers who follow a hashtag of the status.
    @Sendable static func exclusiveFollowedTag(_ viewer: Viewer, _ word: String) -> Bool? {
        viewer == .follower ? false : followedTag.truth(viewer, word)
    }

    @Sendable private static func everyone(_ viewer: Viewer, _ word: String) -> Bool? {
        word == "public" && ![.blocked, .blocking, .muting].contains(viewer)
    }

    /// All viewers have favourited and bookmarked what they could see at the time.
    @Sendable private static func kept(_ viewer: Viewer, _ word: String) -> Bool? {
        viewer == .blocking || viewer == .muting ? viewer.sees(word).flatMap { $0 ? nil : false } : viewer.sees(word)
    }

    @Sendable private static func classic(_ viewer: Viewer, _ word: String) -> Bool? {
        switch (viewer, word) {
        case (.blocked, _), (.blocking, _), (.muting, _): false
        case (.addressee, "private"): nil
        default: viewer.sees(word)
        }
    }

    /// Accounts that the viewer mutes or blocks are omitted from conversations.
    @Sendable private static func thread(_ viewer: Viewer, _ word: String) -> Bool? {
        viewer == .blocking || viewer == .muting ? false : viewer.sees(word)
    }

    /// Only public and unlisted statuses can be boosted.
    @Sendable private static func boosted(_ viewer: Viewer, _ word: String) -> Bool? {
        guard word == "public" || word == "unlisted", viewer != .blocking, viewer != .muting else { return nil }
        return viewer.sees(word)
    }
}
