extension Documented {
    private static let contexts = Shape.list(.word(["home", "notifications", "public", "thread", "account"]))

    private static let filterFields: [String: Shape.Field] = [
        "id": .must(.id), "title": .must(.text), "context": .must(contexts), "expires_at": .must(.orNull(.time)),
        "filter_action": .must(.word(["warn", "hide"])),
    ]

    /// https://docs.joinmastodon.org/entities/Filter/
    static let filter = filterFields.merging([
        "keywords": .must(.list(.entity(.filterKeyword))), "statuses": .must(.list(.entity(.filterStatus))),
    ]) { _, new in new }

    /// https://docs.joinmastodon.org/entities/FilterKeyword/
    static let filterKeyword: [String: Shape.Field] = [
        "id": .must(.id), "keyword": .must(.text), "whole_word": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/FilterStatus/
    static let filterStatus: [String: Shape.Field] = ["id": .must(.id), "status_id": .must(.id)]

    /// https://docs.joinmastodon.org/entities/FilterResult/
    /// As in Mastodon, the filter has neither keywords nor statuses there.
    static let filterResult: [String: Shape.Field] = [
        "filter": .must(.object(filterFields)), "keyword_matches": .must(.orNull(.list(.text))),
        "status_matches": .must(.orNull(.list(.id))),
    ]

    /// https://docs.joinmastodon.org/entities/V1_Filter/
    static let oldFilter: [String: Shape.Field] = [
        "id": .must(.id), "phrase": .must(.text), "context": .must(contexts), "expires_at": .must(.orNull(.time)),
        "irreversible": .must(.flag), "whole_word": .must(.flag),
    ]

    /// https://docs.joinmastodon.org/entities/FamiliarFollowers/
    static let familiarFollowers: [String: Shape.Field] = [
        "id": .must(.id), "accounts": .must(.list(.entity(.account))),
    ]
}
