extension ForeignServer {
    /// nginx, which distributes requests to servers in turn, and skips servers that do not listen. It remembers no
    /// failures, so it uses a server again as soon as it listens.
    /// - Parameter ports: The ports of the servers.
    static func loadBalancer(_ ports: [Int]) -> ForeignServer {
        nginx { place in
            """
            upstream feed { \(ports.map { "server 127.0.0.1:\($0) max_fails=0;" }.joined(separator: " ")) }
            server {
                listen 127.0.0.1:\(place.port);
                location / { proxy_pass http://feed; proxy_set_header Host $http_host; }
            }
            """
        }
    }
}
