import FeedAPI
import Foundation
import HTTPTypes
import Synchronization

/// Security headers of every response.
enum SecurityHeaders {
    /// Over TLS, browsers use only https for one year (RFC 6797).
    private static let strictTransport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    private static let noSniffing = HTTPField(name: .contentTypeOptions, value: "nosniff")
    private static let sameOrigin = HTTPField(name: .referrerPolicy, value: "same-origin")

    static func add(to headers: inout HTTPFields, isEncrypted: Bool) {
        headers.append(noSniffing)
        if isEncrypted { headers.append(strictTransport) }
        if !headers.contains(.referrerPolicy) { headers.append(sameOrigin) }
    }
}

/// The Date field, formatted once per second.
final class DateField: Sendable {
    private let last = Mutex((second: 0, field: DateField.field(0)))

    var field: HTTPField {
        let now = time(nil)
        return last.withLock { last in
            if last.second != now { last = (now, Self.field(now)) }
            return last.field
        }
    }

    private static func field(_ seconds: Int) -> HTTPField {
        HTTPField(name: .date, value: HTTPDate.text(seconds: Int64(seconds)))
    }
}
