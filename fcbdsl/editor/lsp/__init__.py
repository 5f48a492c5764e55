"""Editor features for an open project: each as a plain function, and a server that exposes them."""
