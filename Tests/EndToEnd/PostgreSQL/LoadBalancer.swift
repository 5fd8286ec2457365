extension ForeignServer {
    /// nginx, which distributes requests to servers in turn.
    /// - Parameter ports: The ports of the servers.
    static func loadBalancer(_ ports: [Int]) -> ForeignServer {
        ForeignServer(
            program: "nginx", resumes: true, arguments: { ["-c", $0.configuration, "-e", $0.folder + "/error.log"] },
            configuration: { place in
                """
                daemon off; master_process off; pid \(place.folder)/pid; error_log \(place.folder)/error.log;
                events { worker_connections 256; }
                http {
                    access_log off; client_body_temp_path \(place.folder)/t; proxy_temp_path \(place.folder)/t;
                    fastcgi_temp_path \(place.folder)/t; uwsgi_temp_path \(place.folder)/t;
                    scgi_temp_path \(place.folder)/t;
                    upstream feed { \(ports.map { "server 127.0.0.1:\($0);" }.joined(separator: " ")) }
                    server {
                        listen 127.0.0.1:\(place.port);
                        location / { proxy_pass http://feed; proxy_set_header Host $http_host; }
                    }
                }
                """
            })
    }
}
