import FeedAPI
import FeedCore

/// The names of all integer parameters. Integers are read only through this type, so that a test can send values within
/// and beyond the range of each parameter to every endpoint.
enum IntegerParameter: String, CaseIterable {
    case limit, offset, id, duration, choices, wait
    case expiresIn = "expires_in"
    case statusID = "status_id"
    case keywordID = "keywords_attributes[0][id]"
    case maxID = "max_id"
    case sinceID = "since_id"
    case minID = "min_id"
    case accountID = "account_id"
    case accountIDs = "account_ids"
    case targetAccountID = "target_account_id"
    case statusIDs = "status_ids"
    case mediaIDs = "media_ids"
    case ruleIDs = "rule_ids"
    case reportID = "report_id"
    case inReplyToID = "in_reply_to_id"
    case pollSeconds = "poll[expires_in]"
    case homeLastReadID = "home[last_read_id]"
    case notificationsLastReadID = "notifications[last_read_id]"
    case homeVersion = "home[version]"
    case notificationsVersion = "notifications[version]"
}

extension RequestParameters {
    /// An id; `nil` if missing or empty. A number beyond the range of an id becomes the largest id.
    /// - Throws: ``FeedError`` `.malformed` unless it is a single value that consists of digits.
    func id(_ parameter: IntegerParameter) throws(FeedError) -> Int64? {
        guard isSingle(parameter.rawValue) else { throw .malformed("\(parameter.rawValue) is not an id") }
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard text.isDigits else { throw .malformed("\(parameter.rawValue) is not an id") }
        return Int64(text) ?? .max
    }

    /// The ids among the first `limit` values of a list.
    func ids(_ parameter: IntegerParameter, limit: Int) -> [Int64] {
        all(parameter.rawValue).prefix(limit).compactMap { Int64($0) }
    }

    /// The ids of attached files, without repetitions and empty values.
    /// - Throws: ``FeedError`` `.invalid` unless all consist of digits.
    func mediaIDs() throws(FeedError) -> [Int64] {
        var ids: [Int64] = []
        for text in all(IntegerParameter.mediaIDs.rawValue) where !text.isEmpty {
            guard text.isDigits else { throw .invalid("Media \(text.prefix(20)) not found") }
            let id = Int64(text) ?? .max
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// The accounts in `account_ids`, without repetitions.
    /// - Throws: ``FeedError`` `.invalid` for more than `limit`, `.notFound` for one that is not an id.
    func accountIDs(upTo limit: Int) throws(FeedError) -> [Int64] {
        let texts = all(IntegerParameter.accountIDs.rawValue).filter { !$0.isEmpty }
        guard texts.count <= limit else { throw .invalid("At most \(limit) ids are allowed per request") }
        var ids: [Int64] = []
        for text in texts {
            guard text.isDigits, let id = Int64(text) else { throw .notFound }
            if !ids.contains(id) { ids.append(id) }
        }
        return ids
    }

    /// A number of entries, clamped to `minimum...maximum`; `standard` if it is missing or not a number.
    func count(_ parameter: IntegerParameter, standard: Int, maximum: Int, minimum: Int = 1) -> Int {
        let requested = self[parameter.rawValue].flatMap { Int($0) } ?? standard
        return max(minimum, min(requested, maximum))
    }

    /// An integer within `range`; `nil` if missing or empty.
    /// - Throws: ``FeedError`` `.invalid` with `message` for anything else, also for several values.
    func integer(
        _ parameter: IntegerParameter, in range: ClosedRange<Int64>, _ message: String
    ) throws(FeedError) -> Int64? {
        guard isSingle(parameter.rawValue) else { throw .invalid(message) }
        guard let text = self[parameter.rawValue], !text.isEmpty else { return nil }
        guard let number = Int64(text), range.contains(number) else { throw .invalid(message) }
        return number
    }
}
