import Foundation

/// What a JSON value must be.
indirect enum Shape: Sendable {
    case text
    /// A text of digits, as all our ids are.
    case id
    /// `2024-01-31T23:59:59.999Z`.
    case time
    /// `2024-01-31`.
    case day
    /// An absolute http or https address.
    case address
    case webSocket
    case flag
    case integer
    /// An integer that is not negative.
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
            /// There when somebody is logged in, and only then.
            case withToken
        }

        let shape: Shape
        let presence: Presence

        static func must(_ shape: Shape) -> Field { Field(shape: shape, presence: .always) }
        static func may(_ shape: Shape) -> Field { Field(shape: shape, presence: .sometimes) }
        static func own(_ shape: Shape) -> Field { Field(shape: shape, presence: .withToken) }
    }
}
