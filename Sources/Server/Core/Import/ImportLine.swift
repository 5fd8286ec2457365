import Foundation

/// Decodes a line of an import file.
struct ImportLine: Decodable {
    private enum CodingKeys: CodingKey { case kind }

    let record: ImportRecord

    init(from decoder: any Decoder) throws {
        switch try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .kind) {
        case "account":
            try decoder.refuseMembers(except: ImportRecord.Account.CodingKeys.self)
            record = .account(try ImportRecord.Account(from: decoder))
        case "follow":
            try decoder.refuseMembers(except: ImportRecord.Follow.CodingKeys.self)
            record = .follow(try ImportRecord.Follow(from: decoder))
        case "status":
            try decoder.refuseMembers(except: ImportRecord.Status.CodingKeys.self)
            record = .status(try ImportRecord.Status(from: decoder))
        case let other: throw FeedError.malformed("unknown kind \"\(other.prefix(40))\"")
        }
    }
}

extension ImportRecord.Media {
    enum CodingKeys: CodingKey, CaseIterable { case file, description, focus }

    package init(from decoder: any Decoder) throws {
        try decoder.refuseMembers(except: CodingKeys.self)
        let values = try decoder.container(keyedBy: CodingKeys.self)
        file = try values.decode(String.self, forKey: .file)
        description = try values.decodeIfPresent(String.self, forKey: .description)
        focus = try values.decodeIfPresent([Double].self, forKey: .focus)
    }
}

/// The name of any member of an object.
private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses an object with other members than `keys` and, in a line, `kind`. A misspelt `visibility` would otherwise
    /// publish a private status.
    /// - Throws: ``FeedError`` `.malformed`.
    fileprivate func refuseMembers<Key: CodingKey & CaseIterable>(except keys: Key.Type) throws {
        var names = keys.allCases.map(\.stringValue)
        if codingPath.isEmpty { names.append("kind") }
        let members = try container(keyedBy: MemberName.self).allKeys.map(\.stringValue)
        guard let unknown = members.filter({ !names.contains($0) }).min() else { return }
        let nearest = NearestName.nearest(to: unknown, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw FeedError.malformed("unknown member \"\(unknown.prefix(40))\"\(nearest)")
    }
}
