import Foundation

extension URL {
    /// Whether the port, if any, is between 1 and 65535. Check this before a request: SwiftNIO traps on any other port
    /// that follows an IP address.
    var hasValidPort: Bool {
        if let port { return (1...65_535).contains(port) }
        // Foundation ignores a port that exceeds `Int`.
        return URLComponents(url: self, resolvingAgainstBaseURL: true)?.rangeOfPort?.isEmpty ?? true
    }
}
