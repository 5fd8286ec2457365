import Foundation

/// The expected shape of a JSON value.
indirect enum Shape: Sendable {
    case text
    /// A text of digits, as all ids of this server are.
    case id
    /// A non-negative integer as text.
    case digits
    /// `2024-01-31T23:59:59.999Z`.
    case time
    /// `2024-01-31`.
    case day
    /// An absolute http or https URL.
    case address
    case webSocket
    case flag
    case integer
    /// A non-negative integer.
    case count
    case word([String])
    case null
    case anyNumber
    case emptyObject
    case anyObject
    case orNull(Shape)
    case list(Shape)
    case emptyList
    case object([String: Field])
    case entity(EntityShape)

    /// A member of an object.
    struct Field: Sendable {
        enum Presence: Sendable {
            case always, sometimes
            /// Present if and only if the request had a token.
            case withToken
        }

        let shape: Shape
        let presence: Presence

        static func must(_ shape: Shape) -> Field { Field(shape: shape, presence: .always) }
        static func may(_ shape: Shape) -> Field { Field(shape: shape, presence: .sometimes) }
        static func own(_ shape: Shape) -> Field { Field(shape: shape, presence: .withToken) }
    }
}

extension Shape {
    /// Describes the faults of a value and their locations; empty if it has no faults.
    /// - Parameter hasToken: Whether the request had a token.
    func check(_ json: JSONValue, hasToken: Bool, at place: String = "") -> [String] {
        switch (self, json) {
        case (.orNull, .null), (.null, .null): []
        case (.orNull(let shape), _): shape.check(json, hasToken: hasToken, at: place)
        case (.list(let shape), .list(let elements)):
            elements.enumerated().flatMap { shape.check($1, hasToken: hasToken, at: "\(place)[\($0)]") }
        case (.object(let fields), .object(let members)):
            Self.check(members, against: fields, hasToken: hasToken, at: place)
        case (.entity(let entity), .object(let members)):
            Self.check(members, against: entity.fields, hasToken: hasToken, at: place)
                + entity.rule(json).map { place + ": " + $0 }
        case (.emptyList, .list(let elements)) where elements.isEmpty: []
        case (.emptyObject, .object(let members)) where members.isEmpty: []
        case (.anyObject, .object), (.anyNumber, .number): []
        default: isPlain(json) ? [] : ["\(place) is no \(self): \(String(describing: json).prefix(80))"]
        }
    }

    private static func check(
        _ members: [String: JSONValue], against fields: [String: Field], hasToken: Bool, at place: String
    ) -> [String] {
        let unknown = members.keys.filter { fields[$0] == nil }.map { "\(place).\($0) is not documented" }
        let known = fields.flatMap { name, field in
            field.check(members[name], hasToken: hasToken, at: place + "." + name)
        }
        return (unknown + known).sorted()
    }

    private func isPlain(_ json: JSONValue) -> Bool {
        switch (self, json) {
        case (.text, .text), (.flag, .flag): true
        case (.word(let words), .text(let text)): words.contains(text)
        case (.integer, .number(let number)): number == number.rounded()
        case (.count, .number(let number)): number == number.rounded() && number >= 0
        case (_, .text(let text)): isForm(text)
        default: false
        }
    }

    private func isForm(_ text: String) -> Bool {
        switch self {
        case .id: text.wholeMatch(of: /[1-9][0-9]{0,18}/) != nil
        case .digits: text.wholeMatch(of: /0|[1-9][0-9]{0,18}/) != nil
        case .time: text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
        case .day: text.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
        case .address: text.wholeMatch(of: /https?:\/\/[^\s<>"]+/) != nil
        case .webSocket: text.wholeMatch(of: /wss?:\/\/[^\s<>"]+/) != nil
        default: false
        }
    }
}

extension Shape.Field {
    fileprivate func check(_ json: JSONValue?, hasToken: Bool, at place: String) -> [String] {
        guard let json else {
            return presence == .always || presence == .withToken && hasToken ? ["\(place) is missing"] : []
        }
        if presence == .withToken, !hasToken { return ["\(place) is there without a token"] }
        return shape.check(json, hasToken: hasToken, at: place)
    }
}
